// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/words.hpp>

#include "markdown_text.hpp"

namespace ridge::report {
namespace {

using families = std::vector<const model::family*>;

families of_experiment(const model::run& run, std::string_view experiment) {
  families found;
  for (const auto& f : run.families) {
    if (f.experiment == experiment) found.push_back(&f);
  }
  return found;
}

// "`ridge run ch01`" whatever path the program was called by; where the file went is no part of it.
std::string command_of(const model::run& run) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < run.command.size(); ++i) {
    if (run.command[i] == "--save") {
      ++i;
    } else if (run.command[i] != "--no-store" && !run.command[i].starts_with("--save=")) {
      words.push_back(i == 0 ? "ridge" : run.command[i]);
    }
  }
  return join(words, " ");
}

std::string provenance(const model::run& run) {
  const auto& e = run.environment;
  return fmt::format("Measured on {} ({}, {}; {}) on {} by `{}`.\n", escaped(e.machine), escaped(e.cpu),
                     e.cores == 1 ? "1 core" : fmt::format("{} cores", e.cores), escaped(e.compiler),
                     run.started.substr(0, 10), command_of(run));
}

std::string value_of(const model::measurement& m, const std::string& metric) {
  if (!m.skipped.empty()) return "skipped: " + escaped(m.skipped);
  if (!m.refused.empty()) return "refused: " + escaped(m.refused);
  const auto* seen = find(m, metric);
  return seen ? escaped(with_interval(seen->median, seen->ci, seen->metric.unit)) : "-";
}

// How far below the limit, and what limits; apart, for columns of their own.
std::string share_of_ceiling(const model::measurement& m) {
  auto only = m;
  only.bound = model::bound::unknown;
  return ceiling_in_words(only);
}

std::vector<std::string> variant_cells(const model::run& run, const model::family& of,
                                       const model::measurement& m) {
  const auto metric = primary_metric(of).name;
  const auto baseline = baseline_of(of);
  const auto* c = find(of, baseline, m.variant, metric);
  return {escaped(m.variant) + (m.role == model::role::comparator ? " (library)" : ""),
          value_of(m, metric),
          c                       ? escaped(ratio_with_interval(c->ratio, c->ci))
          : m.variant == baseline ? "baseline"
                                  : "",
          c ? escaped(verdict_in_words(*c, run.min_effect)) : "",
          share_of_ceiling(m),
          m.bound == model::bound::unknown ? "" : std::string(name(m.bound)),
          m.memory.peak_bytes > 0 ? format_quantity(m.memory.peak_bytes, "B") : ""};
}

std::string against_libraries(const model::run& run, const model::family& of) {
  std::vector<std::string> parts;
  for (const auto& c : of.comparisons) {
    const auto* reference = model::find(of, c.reference);
    const bool library = reference != nullptr && reference->role == model::role::comparator;
    if (!library || c.metric.name != primary_metric(of).name) continue;
    const auto words = c.judged ? verdict_in_words(c, run.min_effect) : direction_in_words(c);
    parts.push_back(fmt::format("{} against {}: {} ({})", escaped(c.candidate), escaped(c.reference),
                                escaped(ratio_with_interval(c.ratio, c.ci)), escaped(words)));
  }
  return parts.empty() ? "" : "\n" + join(parts, "; ") + ".\n";
}

std::string phase_table(const model::family& of) {
  std::vector<std::string> header{"where the time goes"};
  for (const auto& m : of.measurements) {
    for (const auto& p : m.phases) {
      if (std::ranges::find(header, p.name) == header.end()) header.push_back(p.name);
    }
  }
  if (header.size() == 1) return "";
  std::string out = "\n" + markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto& m : of.measurements) {
    if (m.phases.empty()) continue;
    std::vector<std::string> cells{escaped(m.variant)};
    for (std::size_t i = 1; i < header.size(); ++i) {
      const auto at = std::ranges::find(m.phases, header[i], &model::phase_share::name);
      cells.push_back(at == m.phases.end() ? "" : format_quantity(at->share, "1", 2));
    }
    out += markdown_row(cells);
  }
  return out;
}

std::string ladder_table(const model::run& run, const model::family& of) {
  std::string out = of.problem.empty() ? "" : fmt::format("\n`{}`\n", model::text(of.problem));
  if (!of.skipped.empty()) return out + "\nskipped: " + escaped(of.skipped) + "\n";
  const std::vector<std::string> header{
      "variant",    metric_title(primary_metric(of)), interval_title(run), "verdict", "of ceiling", "bound",
      "peak memory"};
  out += "\n" + markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto& m : of.measurements) out += markdown_row(variant_cells(run, of, m));
  return out + against_libraries(run, of) + phase_table(of);
}

// What is wrong on purpose beside what is right: one variant, a row a problem, a column a metric.
std::string metrics_table(const families& all) {
  std::vector<std::string> header{"problem"};
  for (const auto& e : all.front()->measurements.front().metrics) header.push_back(metric_title(e.metric));
  const bool naive = std::ranges::count(header, "naive time") + std::ranges::count(header, "right time") == 2;
  if (naive) header.emplace_back("naive ÷ right");
  std::string out = "\n" + markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto* f : all) {
    const auto& m = f->measurements.front();
    std::vector<std::string> cells{escaped(model::text(f->problem))};
    for (const auto& e : m.metrics) cells.push_back(value_of(m, e.metric.name));
    if (const auto *wrong = find(m, "naive time"), *right = find(m, "right time"); wrong && right)
      cells.push_back(fmt::format("{:.3g}×", wrong->median / right->median));
    cells.resize(header.size());
    out += markdown_row(cells);
  }
  return out;
}

bool shows_metrics(const families& all) {
  return std::ranges::all_of(all, [](const model::family* f) {
    return f->measurements.size() == 1 && f->measurements.front().metrics.size() > 1;
  });
}

// The best of our own variants against the baseline: what the ladder came to.
const model::comparison* gain_of(const model::family& of) {
  const model::comparison* best = nullptr;
  for (const auto& c : of.comparisons) {
    const auto* m = model::find(of, c.candidate);
    const bool own = m != nullptr && m->role == model::role::optimized && !m->pedagogy;
    if (!own || c.reference != baseline_of(of) ||
        &c != find(of, c.reference, c.candidate, primary_metric(of).name))
      continue;
    if (best == nullptr || c.ratio > best->ratio) best = &c;
  }
  return best;
}

std::vector<std::string> summary_cells(const model::run& run, const model::family& of) {
  std::vector<std::string> cells{fmt::format("`{}`", of.experiment), escaped(of.question),
                                 escaped(model::text(of.problem))};
  const auto* gain = gain_of(of);
  const auto* best = gain ? model::find(of, gain->candidate) : nullptr;
  cells.push_back(best ? escaped(best->variant) : "");
  cells.push_back(gain ? fmt::format("{}, {}", escaped(ratio_with_interval(gain->ratio, gain->ci)),
                                     metric_title(gain->metric))
                       : "nothing to judge");
  cells.push_back(gain && gain->judged ? escaped(verdict_in_words(*gain, run.min_effect)) : "");
  cells.push_back(best ? ceiling_in_words(*best) : "");
  return cells;
}

}  // namespace

std::string readme_table(const model::run& run, std::string_view experiment) {
  const auto all = of_experiment(run, experiment);
  if (all.empty()) return "";
  auto out = provenance(run);
  if (shows_metrics(all)) return out + metrics_table(all);
  for (const auto* f : all) out += ladder_table(run, *f);
  return out;
}

std::string readme_summary(const model::run& run) {
  const std::vector<std::string> header{
      "experiment", "question",  "problem", "best variant", "against the baseline [95 %]",
      "verdict",    "of ceiling"};
  auto out = provenance(run) + "\n" + markdown_row(header) + markdown_rule(header.size(), 4);
  std::string last;
  for (const auto& f : run.families) {
    if (f.experiment != last) out += markdown_row(summary_cells(run, f));
    last = f.experiment;
  }
  return out;
}

}  // namespace ridge::report
