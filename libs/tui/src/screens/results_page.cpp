// SPDX-License-Identifier: Apache-2.0
// The newest result of every variant, or the results of one run: one row a variant.
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/report/words.hpp>
#include <ridge/results/comparable.hpp>
#include <ridge/results/parameters.hpp>
#include <ridge/tui/grid.hpp>

#include "screens/run_choice.hpp"
#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

using report::unit;

std::vector<report::field> result_fields() {
  return {{.key = "workload", .header = "workload", .fit = all_fitted},
          {.key = "variant", .header = "variant"},
          {.key = "shown", .header = "median"},
          {.key = "shown_ratio", .header = "× baseline [95 %]"},
          {.key = "verdict", .header = "verdict"},
          {.key = "of_ceiling", .header = "of ceiling", .unit = unit::percent},
          {.key = "role", .header = "role"},
          {.key = "metric", .header = "metric"},
          {.key = "backend", .header = "backend"},
          {.key = "machine", .header = "machine"},
          {.key = "shown_started", .header = "measured"},
          {.key = "median"},
          {.key = "lo"},
          {.key = "hi"},
          {.key = "unit"},
          {.key = "ratio"},
          {.key = "ratio_lo"},
          {.key = "ratio_hi"},
          {.key = "experiment"},
          {.key = "problem"},
          {.key = "series"},
          {.key = "started"},
          {.key = "run"}};
}

report::value known(double number) {
  return std::isfinite(number) ? report::value(number) : report::value(std::monostate{});
}

report::value share(const std::optional<double>& of_ceiling) {
  return of_ceiling ? report::value(*of_ceiling * 100) : report::value(std::monostate{});
}

// What a row is made of, whether it comes from a store's newest results or from one run.
struct variant_result {
  std::string machine{}, experiment{}, problem{}, variant{}, run{}, started{};
  model::backend backend{};
  model::role role{};
  model::metric metric{};
  double median = 0;
  interval ci{};
  std::optional<double> of_ceiling{};
  const model::comparison* pair = nullptr;  // with the baseline
  std::int64_t series = 0;                  // 0: not known
};

report::row row_of(const variant_result& r) {
  const auto* const c = r.pair;
  const report::value nothing{std::monostate{}};
  return {.values = {r.problem.empty() ? r.experiment : r.experiment + ' ' + r.problem,
                     r.variant,
                     report::with_interval(r.median, r.ci, r.metric.unit),
                     c ? report::value(report::ratio_with_interval(c->ratio, c->ci)) : nothing,
                     c && c->judged ? report::value(std::string(name(c->verdict))) : nothing,
                     share(r.of_ceiling),
                     std::string(name(r.role)),
                     report::metric_title(r.metric),
                     std::string(name(r.backend)),
                     r.machine,
                     short_time(r.started),
                     known(r.median),
                     known(r.ci.lo),
                     known(r.ci.hi),
                     r.metric.unit,
                     c ? known(c->ratio) : nothing,
                     c ? known(c->ci.lo) : nothing,
                     c ? known(c->ci.hi) : nothing,
                     r.experiment,
                     r.problem,
                     r.series == 0 ? nothing : report::value(r.series),
                     r.started,
                     r.run},
          .look = c && c->judged ? report::tone_of(c->verdict) : report::tone::plain};
}

void add_rows(report::sheet& sheet, const model::workload_result& seen) {
  const auto* const baseline = results::baseline_of(seen);
  for (const auto* m : results::deciding(seen)) {
    const auto& variant = m->series.variant;
    const auto& w = seen.workload;
    sheet.rows.push_back(row_of({.machine = w.machine,
                                 .experiment = w.experiment,
                                 .problem = w.problem,
                                 .variant = variant,
                                 .run = seen.run,
                                 .started = seen.started,
                                 .backend = w.backend,
                                 .role = m->series.role,
                                 .metric = m->series.metric,
                                 .median = m->point.median,
                                 .ci = m->point.ci,
                                 .of_ceiling = m->point.of_ceiling,
                                 .pair = baseline == nullptr || baseline == m
                                             ? nullptr
                                             : results::compared(seen, baseline->series.variant, variant),
                                 .series = m->series.id}));
  }
}

void add_rows(report::sheet& sheet, const model::run& run, const model::family& f) {
  const auto metric = report::primary_metric(f);
  const auto baseline = report::baseline_of(f);
  for (const auto& m : f.measurements) {
    const auto* const seen = model::find(m, metric.name);
    if (seen == nullptr) continue;
    sheet.rows.push_back(row_of({.machine = run.environment.machine,
                                 .experiment = f.experiment,
                                 .problem = model::text(f.problem),
                                 .variant = m.variant,
                                 .run = run.id,
                                 .started = run.started,
                                 .backend = f.backend,
                                 .role = m.role,
                                 .metric = metric,
                                 .median = seen->median,
                                 .ci = seen->ci,
                                 .of_ceiling = m.of_ceiling,
                                 .pair = report::find_comparison(f, baseline, m.variant, metric.name)}));
  }
}

bool is_wanted(const model::family& f, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  return glob_matches(query.experiment, f.experiment) && (!query.backend || *query.backend == f.backend) &&
         (!query.problem || *query.problem == model::text(f.problem));
}

result<page> page_of_run(store::store& store, const results::arguments& given) {
  const auto run = chosen_run(store, given.text("run"));
  if (!run) return run.why();
  page made{.schema = "ridge.tui.results/1"};
  made.context = fmt::format("run {} of {} · {} · profile {}", short_id(run->id), short_time(run->started),
                             run->environment.machine, run->profile);
  report::sheet sheet{.key = "results", .title = "Results", .fields = result_fields()};
  for (const auto& f : run->families) {
    if (is_wanted(f, given)) add_rows(sheet, *run, f);
  }
  sheet.empty = "This run holds no such result.";
  made.facts = {{"run", run->id}};
  made.panes.emplace_back(std::move(sheet));
  return made;
}

}  // namespace

result<page> results_page(workspace& work, const results::arguments& given) {
  const auto store = work.store();
  if (!store) return store.why();
  if (!given.text("run").empty()) return page_of_run(**store, given);
  const auto query = results::workloads_asked_for(given);
  const auto latest = (*store)->latest(query);
  page made{.schema = "ridge.tui.results/1"};
  report::sheet sheet{.key = "results", .title = "Newest results", .fields = result_fields()};
  for (const auto& seen : latest) add_rows(sheet, seen);
  sheet.empty = results::nothing_measured(query);
  made.context = fmt::format("newest of {} workload{}, {} variants", latest.size(),
                             latest.size() == 1 ? "" : "s", sheet.rows.size());
  made.facts = {{"workloads", static_cast<std::int64_t>(latest.size())}};
  made.panes.emplace_back(std::move(sheet));
  return made;
}

}  // namespace ridge::tui
