// SPDX-License-Identifier: Apache-2.0
// Variants against their baseline, from pairs; or two runs side by side, which were not measured in pairs.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/report/words.hpp>
#include <ridge/results/comparable.hpp>
#include <ridge/results/parameters.hpp>
#include <ridge/tui/grid.hpp>

#include "screens/ratio_bar.hpp"
#include "screens/run_choice.hpp"
#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

constexpr std::size_t bar_columns = 21;
using report::unit;

report::value finite_or_unknown(double number) {
  return std::isfinite(number) ? report::value(number) : report::value(std::monostate{});
}

std::vector<report::field> pair_fields(const ratio_scale& scale) {
  const auto least = scale.least(), greatest = scale.greatest();
  const auto gap = bar_columns - std::min(bar_columns, display_width(least) + display_width(greatest));
  return {{.key = "workload", .header = "workload", .fit = all_fitted},
          {.key = "candidate", .header = "candidate"},
          {.key = "bar", .header = least + std::string(gap, ' ') + greatest},
          {.key = "shown", .header = "ratio [95 %]"},
          {.key = "verdict", .header = "verdict"},
          {.key = "reference", .header = "reference"},
          {.key = "metric", .header = "metric"},
          {.key = "assurance", .header = "assurance", .unit = unit::count},
          {.key = "pairs", .header = "pairs", .unit = unit::count},
          {.key = "machine", .header = "machine"},
          {.key = "backend", .header = "backend"},
          {.key = "ratio"},
          {.key = "ratio_lo"},
          {.key = "ratio_hi"},
          {.key = "experiment"},
          {.key = "problem"},
          {.key = "run"}};
}

report::row pair_row(const model::workload_result& seen, const model::comparison& c,
                     const ratio_scale& scale) {
  const auto& w = seen.workload;
  const auto verdict =
      c.judged ? report::value(std::string(name(c.verdict))) : report::value(report::direction_in_words(c));
  return {.values = {results::workload_text(w), c.candidate, scale.bar(c.ratio, c.ci, bar_columns),
                     report::ratio_with_interval(c.ratio, c.ci), verdict, c.reference,
                     report::metric_title(c.metric), std::int64_t{c.assurance},
                     static_cast<std::int64_t>(c.pairs), w.machine, std::string(name(w.backend)),
                     finite_or_unknown(c.ratio), finite_or_unknown(c.ci.lo), finite_or_unknown(c.ci.hi),
                     w.experiment, w.problem, seen.run},
          .look = c.judged ? report::tone_of(c.verdict) : report::tone::dim};
}

struct pair_of {
  const model::workload_result* seen = nullptr;
  const model::comparison* pair = nullptr;
};

// Without names of variants: what decides, against the baseline.
bool is_chosen(const model::workload_result& seen, const model::comparison& c,
               const std::vector<std::string_view>& variants) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(variants, name) != variants.end();
  };
  const auto* const baseline = results::baseline_of(seen);
  if (variants.empty())
    return c.headline && (baseline == nullptr || c.metric.name == baseline->series.metric.name);
  return variants.size() == 1 ? named(c.candidate) || named(c.reference)
                              : named(c.candidate) && named(c.reference);
}

std::vector<pair_of> chosen_pairs(const std::vector<model::workload_result>& latest,
                                  const std::vector<std::string_view>& variants) {
  std::vector<pair_of> pairs;
  for (const auto& seen : latest) {
    for (const auto& c : seen.comparisons) {
      if (is_chosen(seen, c, variants)) pairs.push_back({&seen, &c});
    }
  }
  return pairs;
}

// One scale for all rows. Over many workloads a few great ratios would press all others into one column, so
// the scale ends before them.
ratio_scale scale_of(const std::vector<pair_of>& pairs, bool one_workload) {
  const double least = one_workload ? 1e-6 : 0.25, greatest = one_workload ? 1e6 : 16;
  ratio_scale scale;
  for (const auto& p : pairs) {
    scale.hold(p.pair->ci.lo, least, greatest);
    scale.hold(p.pair->ci.hi, least, greatest);
  }
  return scale;
}

page page_of_pairs(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  const auto latest = store.latest(query);
  const auto wanted = given.text("variant");
  const auto variants =
      wanted.empty() ? std::vector<std::string_view>{} : split(std::string_view(wanted), ',');
  const auto pairs = chosen_pairs(latest, variants);
  const auto scale = scale_of(pairs, latest.size() == 1);
  report::sheet sheet{.key = "pairs", .title = "Measured in pairs", .fields = pair_fields(scale)};
  for (const auto& p : pairs) sheet.rows.push_back(pair_row(*p.seen, *p.pair, scale));
  sheet.empty = latest.empty() ? results::nothing_measured(query)
                : variants.size() > 1
                    ? fmt::format("{} were not measured in pairs: `ridge compare ID {}` measures them so.",
                                  join(std::vector<std::string>(variants.begin(), variants.end()), " and "),
                                  join(std::vector<std::string>(variants.begin(), variants.end()), " "))
                    : std::string("No stored workload has two variants that were compared.");
  page made{.schema = "ridge.tui.compare/1",
            .context = fmt::format("{} pairs of {} workload{}", pairs.size(), latest.size(),
                                   latest.size() == 1 ? "" : "s")};
  made.panes.emplace_back(std::move(sheet));
  made.notes = {"A ratio above 1: the candidate is better. ├──●──┤ is its interval, │ stands at 1."};
  return made;
}

std::map<std::string, std::string> environment_facts(const model::run& run) {
  const auto& e = run.environment;
  std::map<std::string, std::string> all(e.facts.begin(), e.facts.end());
  all["machine"] = e.machine;
  all["host"] = e.host;
  all["kernel"] = e.kernel;
  all["compiler"] = e.compiler;
  all["flags"] = e.flags;
  all["build"] = e.build;
  all["profile"] = run.profile;
  return all;
}

report::sheet environment_sheet(const model::run& a, const model::run& b) {
  report::sheet sheet{.key = "environment",
                      .title = "What differs of the environments",
                      .fields = {{.key = "fact", .header = "fact"},
                                 {.key = "a", .header = "a: " + short_time(a.started)},
                                 {.key = "b", .header = "b: " + short_time(b.started)}},
                      .empty = "The environments are the same."};
  auto left = environment_facts(a), right = environment_facts(b);
  for (const auto& [name, value] : right) left.try_emplace(name);
  for (const auto& [name, value] : left) {
    if (value != right[name]) sheet.rows.push_back({.values = {name, value, right[name]}});
  }
  return sheet;
}

const model::family* same_problem(const model::run& run, const model::family& wanted) {
  const auto found = std::ranges::find_if(run.families, [&](const model::family& f) {
    return f.experiment == wanted.experiment && f.backend == wanted.backend && f.problem == wanted.problem;
  });
  return found == run.families.end() ? nullptr : &*found;
}

void add_medians(report::sheet& sheet, const model::family& first, const model::family& second) {
  for (const auto& m : first.measurements) {
    const auto* const other = model::find(second, m.variant);
    if (other == nullptr || m.metrics.empty()) continue;
    const auto& a = m.metrics.front();
    const auto* const b = model::find(*other, a.metric.name);
    if (b == nullptr) continue;
    const auto problem = model::text(first.problem);
    sheet.rows.push_back(
        {.values = {problem.empty() ? first.experiment : first.experiment + ' ' + problem, m.variant,
                    report::with_interval(a.median, a.ci, a.metric.unit),
                    report::with_interval(b->median, b->ci, b->metric.unit),
                    finite_or_unknown(b->median / a.median), report::metric_title(a.metric)}});
  }
}

result<page> page_of_runs(store::store& store, const std::string& a, const std::string& b) {
  const auto first = chosen_run(store, a), second = chosen_run(store, b);
  if (!first) return first.why();
  if (!second) return second.why();
  report::sheet sheet{.key = "medians",
                      .title = "Medians of two runs",
                      .fields = {{.key = "workload", .header = "workload", .fit = all_fitted},
                                 {.key = "variant", .header = "variant"},
                                 {.key = "a", .header = "a"},
                                 {.key = "b", .header = "b"},
                                 {.key = "quotient", .header = "b / a", .unit = unit::number},
                                 {.key = "metric", .header = "metric"}},
                      .empty = "The two runs have no variant of the same problem."};
  for (const auto& f : first->families) {
    if (const auto* const other = same_problem(*second, f)) add_medians(sheet, f, *other);
  }
  page made{.schema = "ridge.tui.runs/1",
            .context = fmt::format("a {} {} · b {} {}", short_id(first->id), short_time(first->started),
                                   short_id(second->id), short_time(second->started))};
  made.panes.emplace_back(std::move(sheet));
  made.panes.emplace_back(environment_sheet(*first, *second));
  made.notes = {
      "Not measured in pairs, so there is no verdict; `ridge compare ID --against COMMIT` measures both."};
  made.facts = {{"a", first->id}, {"b", second->id}};
  return made;
}

}  // namespace

result<page> compare_page(workspace& work, const results::arguments& given) {
  const auto store = work.store();
  if (!store) return store.why();
  const auto a = given.text("a"), b = given.text("b");
  if (a.empty() && b.empty()) return page_of_pairs(**store, given);
  return page_of_runs(**store, a, b);
}

}  // namespace ridge::tui
