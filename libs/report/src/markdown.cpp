// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/run_words.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/words.hpp>

#include "markdown_text.hpp"

namespace ridge::report {
namespace {

std::string quantity(const std::optional<double>& x, std::string_view unit) {
  return x ? format_quantity(*x, unit) : "";
}

std::vector<std::string> variant_row(const model::run& run, const model::family& family,
                                     const model::measurement& m) {
  const auto metric = primary_metric(family);
  const auto baseline = baseline_of(family);
  const auto* seen = find(m, metric.name);
  const auto* c = find_comparison(family, baseline, m.variant, metric.name);
  const auto value = !m.skipped.empty()   ? "skipped: " + markdown_escaped(m.skipped)
                     : !m.refused.empty() ? "refused: " + markdown_escaped(failure_in_words(m))
                     : seen               ? with_interval(seen->median, seen->ci, seen->metric.unit)
                                          : "-";
  const auto memory = m.memory.peak_bytes > 0 ? format_quantity(m.memory.peak_bytes, "B") : "";
  return {markdown_escaped(m.variant),
          markdown_escaped(m.idea),
          value,
          c                       ? markdown_escaped(ratio_with_interval(c->ratio, c->ci))
          : m.variant == baseline ? "baseline"
                                  : "",
          c ? markdown_escaped(verdict_in_words(*c, run.min_effect)) : "",
          ceiling_in_words(m),
          memory,
          quantity(m.energy_j, "J"),
          c ? std::to_string(c->assurance) : ""};
}

void add_further(std::string& out, const model::run& run, const model::family& family) {
  const auto baseline = baseline_of(family);
  const auto primary = primary_metric(family).name;
  for (const auto& c : family.comparisons) {
    if (&c == find_comparison(family, baseline, c.candidate, primary)) continue;
    const auto words = c.judged ? verdict_in_words(c, run.min_effect) : direction_in_words(c);
    out += fmt::format("- {} vs {}, {}: {} ({})\n", markdown_escaped(c.candidate),
                       markdown_escaped(c.reference), metric_title(c.metric),
                       markdown_escaped(ratio_with_interval(c.ratio, c.ci)), markdown_escaped(words));
    for (const auto& use : c.libraries)
      out += fmt::format("  - {}: {}\n", markdown_escaped(use.variant), markdown_escaped(in_words(use)));
  }
}

void add_checks(std::string& out, const model::family& family) {
  const auto add = [&](const std::vector<model::check>& list, const std::string& of_what) {
    for (const auto& c : list) {
      if (c.result == model::outcome::pass) continue;
      out += fmt::format("- {} `{}`{}{}{}\n", name(c.result), c.id, of_what, c.evidence.empty() ? "" : ": ",
                         markdown_escaped(c.evidence));
    }
  };
  add(family.checks, "");
  for (const auto& c : family.comparisons)
    add(c.checks, fmt::format(" ({} vs {})", markdown_escaped(c.candidate), markdown_escaped(c.reference)));
}

void add_family(std::string& out, const model::run& run, const model::family& family) {
  out += fmt::format("\n## {}{}{}\n\n", markdown_escaped(family.experiment), family.title.empty() ? "" : ": ",
                     markdown_escaped(family.title));
  if (!family.question.empty()) out += markdown_escaped(family.question) + "\n\n";
  out += fmt::format("Backend {}{}{}.", name(family.backend), family.problem.empty() ? "" : ", ",
                     markdown_escaped(model::text(family.problem)));
  if (!family.skipped.empty()) out += " Skipped: " + markdown_escaped(family.skipped);
  out += "\n";
  if (!family.measurements.empty()) {
    out += '\n';
    out += markdown_row({"variant", "idea", metric_title(primary_metric(family)), interval_title(run),
                         "verdict", "of ceiling", "memory peak", "energy", "assurance"});
    out += markdown_row({"---", "---", "---:", "---:", "---", "---:", "---:", "---:", "---:"});
    for (const auto& m : family.measurements) out += markdown_row(variant_row(run, family, m));
  }
  std::string notes;
  add_further(notes, run, family);
  if (!family.comparisons.empty()) {
    notes += fmt::format("- noise floor {} (the baseline against itself); {} pairs\n",
                         noise_in_words(family.comparisons.front().aa), family.comparisons.front().pairs);
  }
  add_checks(notes, family);
  if (!notes.empty()) out += '\n' + notes;
}

}  // namespace

std::string markdown(const model::run& run) {
  const auto& e = run.environment;
  auto out = fmt::format("# ridge run {}\n\n{} · {} · {} · {} · profile {} · seed {} · {}\n",
                         markdown_escaped(run.id), markdown_escaped(run.started), markdown_escaped(e.machine),
                         markdown_escaped(e.cpu), markdown_escaped(e.compiler), markdown_escaped(run.profile),
                         run.seed, format_quantity(run.wall_s, "s"));
  if (!run.left_out.empty()) out += fmt::format("\nLeft out: {}\n", markdown_escaped(left_out_in_words(run)));
  for (const auto& f : run.families) add_family(out, run, f);
  return out;
}

}  // namespace ridge::report
