// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
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
  const auto value = !m.skipped.empty()   ? "skipped: " + escaped(m.skipped)
                     : !m.refused.empty() ? "refused: " + escaped(m.refused)
                     : seen               ? with_interval(seen->median, seen->ci, seen->metric.unit)
                                          : "-";
  const auto memory = m.memory.peak_bytes > 0 ? format_quantity(m.memory.peak_bytes, "B") : "";
  return {escaped(m.variant),
          escaped(m.idea),
          value,
          c                       ? escaped(ratio_with_interval(c->ratio, c->ci))
          : m.variant == baseline ? "baseline"
                                  : "",
          c ? escaped(verdict_in_words(*c, run.min_effect)) : "",
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
    out += fmt::format("- {} vs {}, {}: {} ({})\n", escaped(c.candidate), escaped(c.reference),
                       metric_title(c.metric), escaped(ratio_with_interval(c.ratio, c.ci)), escaped(words));
  }
}

void add_checks(std::string& out, const model::family& family) {
  const auto add = [&](const std::vector<model::check>& list, const std::string& of_what) {
    for (const auto& c : list) {
      if (c.result == model::outcome::pass) continue;
      out += fmt::format("- {} `{}`{}{}{}\n", name(c.result), c.id, of_what, c.evidence.empty() ? "" : ": ",
                         escaped(c.evidence));
    }
  };
  add(family.checks, "");
  for (const auto& c : family.comparisons)
    add(c.checks, fmt::format(" ({} vs {})", escaped(c.candidate), escaped(c.reference)));
}

void add_family(std::string& out, const model::run& run, const model::family& family) {
  out += fmt::format("\n## {}{}{}\n\n", escaped(family.experiment), family.title.empty() ? "" : ": ",
                     escaped(family.title));
  if (!family.question.empty()) out += escaped(family.question) + "\n\n";
  out += fmt::format("Backend {}{}{}.", name(family.backend), family.problem.empty() ? "" : ", ",
                     escaped(model::text(family.problem)));
  if (!family.skipped.empty()) out += " Skipped: " + escaped(family.skipped);
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
    notes += fmt::format("- noise floor (A/A) {}; {} pairs\n", noise_in_words(family.comparisons.front().aa),
                         family.comparisons.front().pairs);
  }
  add_checks(notes, family);
  if (!notes.empty()) out += '\n' + notes;
}

}  // namespace

std::string markdown(const model::run& run) {
  const auto& e = run.environment;
  auto out = fmt::format("# ridge run {}\n\n{} · {} · {} · {} · profile {} · seed {} · {}\n", escaped(run.id),
                         escaped(run.started), escaped(e.machine), escaped(e.cpu), escaped(e.compiler),
                         escaped(run.profile), run.seed, format_quantity(run.wall_s, "s"));
  for (const auto& f : run.families) add_family(out, run, f);
  return out;
}

}  // namespace ridge::report
