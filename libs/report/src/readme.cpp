// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/words.hpp>

#include "markdown_text.hpp"
#include "provenance.hpp"

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

std::string value_of(const model::measurement& m, const std::string& metric) {
  if (!m.skipped.empty()) return "skipped: " + markdown_escaped(m.skipped);
  if (!m.refused.empty()) return "refused: " + markdown_escaped(failure_in_words(m));
  const auto* seen = find(m, metric);
  return seen ? with_interval(seen->median, seen->ci, seen->metric.unit) : "-";
}

// Returns how far a variant is below its limit and what limits it, separately, for columns of their own.
std::string share_of_ceiling(const model::measurement& m) {
  auto only = m;
  only.bound = model::bound::unknown;
  return ceiling_in_words(only);
}

std::vector<std::string> variant_cells(const model::run& run, const model::family& family,
                                       const model::measurement& m) {
  const auto metric = primary_metric(family).name;
  const auto baseline = baseline_of(family);
  const auto* c = find_comparison(family, baseline, m.variant, metric);
  return {markdown_code_cell(m.variant) + (m.role == model::role::comparator ? " (library)" : ""),
          value_of(m, metric),
          c                       ? ratio_with_interval(c->ratio, c->ci)
          : m.variant == baseline ? "baseline"
                                  : "",
          c ? markdown_escaped(verdict_in_words(*c, run.min_effect)) : "",
          share_of_ceiling(m),
          m.bound == model::bound::unknown ? "" : std::string(name(m.bound)),
          m.memory.peak_bytes > 0 ? format_quantity(m.memory.peak_bytes, "B") : ""};
}

std::string against_libraries(const model::run& run, const model::family& family) {
  std::vector<std::string> parts;
  for (const auto& c : family.comparisons) {
    const auto* reference = model::find(family, c.reference);
    const bool library = reference != nullptr && reference->role == model::role::comparator;
    if (!library || c.metric.name != primary_metric(family).name) continue;
    const auto words = c.judged ? verdict_in_words(c, run.min_effect) : direction_in_words(c);
    parts.push_back(fmt::format("{} against {}: {} ({})", markdown_code(c.candidate),
                                markdown_code(c.reference), ratio_with_interval(c.ratio, c.ci),
                                markdown_escaped(words)));
  }
  return parts.empty() ? "" : "\n" + join(parts, "; ") + ".\n";
}

std::string phase_table(const model::family& family) {
  std::vector<std::string> header{"where the time goes"};
  std::ranges::move(phase_names(family), std::back_inserter(header));
  if (header.size() == 1) return "";
  std::string out = "\n" + markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto& m : family.measurements) {
    if (m.phases.empty()) continue;
    std::vector<std::string> cells{markdown_code_cell(m.variant)};
    for (std::size_t i = 1; i < header.size(); ++i) {
      const auto at = std::ranges::find(m.phases, header[i], &model::phase_share::name);
      cells.push_back(at == m.phases.end() ? "" : format_quantity(at->share, "1", 2));
    }
    out += markdown_row(cells);
  }
  return out;
}

// Returns metrics that no other column shows: goodput beside throughput, the error beside the time.
std::vector<model::metric> further_metrics(const model::family& family) {
  std::vector<model::metric> found;
  const auto primary = primary_metric(family).name;
  for (const auto& m : family.measurements) {
    for (const auto& e : m.metrics) {
      const auto& name = e.metric.name;
      const bool shown = name == primary || name == "time" || name == "throughput" || name == "memory";
      if (!shown && is_shown_beside(family, e.metric) &&
          std::ranges::find(found, name, &model::metric::name) == found.end())
        found.push_back(e.metric);
    }
  }
  return found;
}

std::string ladder_table(const model::run& run, const model::family& family) {
  std::string out = family.problem.empty() ? "" : fmt::format("\n`{}`\n", model::text(family.problem));
  if (!family.skipped.empty()) return out + "\nskipped: " + markdown_escaped(family.skipped) + "\n";
  std::vector<std::string> header{"variant", metric_title(primary_metric(family)), interval_title(run),
                                  "verdict"};
  for (const auto* title : {"of ceiling", "bound", "peak memory"}) header.emplace_back(title);
  const auto further = further_metrics(family);
  for (const auto& metric : further) header.push_back(metric_title(metric));
  out += "\n" + markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto& m : family.measurements) {
    auto cells = variant_cells(run, family, m);
    for (const auto& metric : further) {
      const auto* seen = find(m, metric.name);
      cells.push_back(!seen                 ? ""
                      : metric.unit.empty() ? fmt::format("{:.2g}", seen->median)
                                            : format_quantity(seen->median, metric.unit));
    }
    out += markdown_row(cells);
  }
  return out + against_libraries(run, family) + phase_table(family);
}

// Returns the table of one variant with several metrics: one row per problem, one column per metric.
std::string metrics_table(const families& all) {
  std::vector<std::string> header{"problem"};
  for (const auto& e : all.front()->measurements.front().metrics) header.push_back(metric_title(e.metric));
  const bool naive = std::ranges::count(header, "naive time") + std::ranges::count(header, "right time") == 2;
  if (naive) header.emplace_back("naive ÷ right");
  std::string out = "\n" + markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto* f : all) {
    const auto& m = f->measurements.front();
    std::vector<std::string> cells{markdown_code_cell(model::text(f->problem))};
    for (const auto& e : m.metrics) cells.push_back(value_of(m, e.metric.name));
    if (const auto *wrong = find(m, "naive time"), *right = find(m, "right time"); wrong && right)
      cells.push_back(fmt::format("{:.3g}×", wrong->median / right->median));
    cells.resize(header.size());
    out += markdown_row(cells);
  }
  return out;
}

// Returns whether a problem beyond the first belongs to a sweep, which has a row for each problem: numbers
// along an axis are read side by side.
bool opens_sweep(const model::problem_point& point, const model::problem_point& first) {
  for (std::size_t i = 0; i < point.size(); ++i) {
    const bool word = std::holds_alternative<std::string>(point[i].second);
    if (!word && point[i].second != first[i].second) return false;
  }
  return true;
}

// Returns "1.36 ms, 103×", and the verdict where it is not BETTER.
std::string sweep_cell(const model::family& family, const std::string& variant) {
  const auto* m = model::find(family, variant);
  if (m == nullptr) return "";
  if (!m->skipped.empty()) return "skipped";
  if (!m->refused.empty()) return "REFUSED";
  const auto metric = primary_metric(family).name;
  const auto* seen = find(*m, metric);
  auto text = seen ? format_quantity(seen->median, seen->metric.unit) : std::string("-");
  const auto* c = find_comparison(family, baseline_of(family), variant, metric);
  if (c == nullptr) return text;
  text += fmt::format(", {:.{}f}×", c->ratio, c->ratio < 9.995 ? 2 : c->ratio < 99.95 ? 1 : 0);
  return c->judged && c->verdict != model::verdict::better ? fmt::format("{} {}", text, name(c->verdict))
                                                           : text;
}

std::string sweep_table(const families& rest) {
  std::vector<std::string> header{"problem"};
  for (const auto* f : rest) {
    for (const auto& m : f->measurements) {
      if (std::ranges::find(header, m.variant) == header.end()) header.push_back(m.variant);
    }
  }
  std::string out =
      fmt::format("\nFurther problems: {}, ratio to the baseline, verdict where it is not BETTER.\n\n",
                  metric_title(primary_metric(*rest.front())));
  out += markdown_row(header) + markdown_rule(header.size(), 1);
  for (const auto* f : rest) {
    std::vector<std::string> cells{markdown_code_cell(model::text(f->problem))};
    for (std::size_t i = 1; i < header.size(); ++i) cells.push_back(sweep_cell(*f, header[i]));
    out += markdown_row(cells);
  }
  return out;
}

bool shows_metrics(const families& all) {
  return std::ranges::all_of(all, [](const model::family* f) {
    return f->measurements.size() == 1 && f->measurements.front().metrics.size() > 1;
  });
}

}  // namespace

std::string readme_table(const model::run& run, std::string_view experiment) {
  const auto all = of_experiment(run, experiment);
  if (all.empty()) return "";
  auto out = provenance(run);
  if (shows_metrics(all)) return out + metrics_table(all);
  families rest;
  for (const auto* f : all) {
    if (opens_sweep(f->problem, all.front()->problem)) {
      out += ladder_table(run, *f);
    } else {
      rest.push_back(f);
    }
  }
  return rest.empty() ? out : out + sweep_table(rest);
}

}  // namespace ridge::report
