// SPDX-License-Identifier: Apache-2.0
// Which variants of a workload are worth choosing at all? One is dominated when another is at least as good
// in time, memory, energy and error, and better in one of them.
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/objectives.hpp>
#include <ridge/results/parameters.hpp>

namespace ridge::analyses::pareto {

results::analysis make();

namespace {

constexpr std::size_t most_charts = 6;

std::vector<report::field> fields() {
  auto all = results::workload_fields_and({{.key = "variant", .header = "variant"},
                                           {.key = "role", .header = "role"},
                                           {.key = "frontier", .header = "frontier"}});
  for (const auto& o : results::objectives())
    all.push_back({.key = std::string(o.key), .header = std::string(o.key), .unit = o.shown});
  all.push_back({.key = "dominated_by", .header = "dominated by"});
  all.push_back({.key = "weighed_by", .header = "weighed by"});
  all.push_back({.key = "run", .header = "run"});
  return all;
}

std::string keys_of(const std::vector<const results::objective*>& chosen) {
  std::vector<std::string> keys;
  for (const auto* o : chosen) keys.emplace_back(o->key);
  return join(keys, ", ");
}

void add_rows(report::sheet& sheet, const model::workload_result& seen, const results::frontier& f,
              bool frontier_only) {
  const auto& w = seen.workload;
  for (const auto& v : f.variants) {
    const bool best = v.dominated_by.empty();
    if (frontier_only && !best) continue;
    report::row row{.values = results::workload_values_and(
                        w, {v.measured->series.variant, std::string(name(v.measured->series.role)), best}),
                    .look = best ? report::tone::good : report::tone::dim};
    for (const auto& o : results::objectives())
      row.values.push_back(results::known_or_unknown(o.value(*v.measured)));
    row.values.emplace_back(join(v.dominated_by, ", "));
    row.values.emplace_back(keys_of(f.compared));
    row.values.emplace_back(seen.run);
    sheet.rows.push_back(std::move(row));
  }
}

// Time against memory: the two that most results have.
std::optional<report::chart> chart_of(const model::workload_result& seen, const results::frontier& f) {
  const auto& time = results::objective_named("time");
  const auto& memory = results::objective_named("memory");
  if (std::ranges::find(f.compared, &time) == f.compared.end() ||
      std::ranges::find(f.compared, &memory) == f.compared.end())
    return std::nullopt;
  report::chart c{.title = results::workload_text(seen.workload),
                  .subtitle = fmt::format("{}, {}", seen.workload.machine, name(seen.workload.backend)),
                  .x = {.label = "time of a call", .unit = "s", .scale = report::chart_scale::logarithmic},
                  .y = {.label = "arrays and peak memory", .unit = "B"}};
  report::chart_series on{.name = "frontier", .mark = report::chart_mark::points};
  report::chart_series off{.name = "dominated", .mark = report::chart_mark::points};
  for (const auto& v : f.variants) {
    auto& series = v.dominated_by.empty() ? on : off;
    series.points.push_back(
        {*time.value(*v.measured), *memory.value(*v.measured), v.measured->series.variant});
  }
  c.series = {std::move(on), std::move(off)};
  return c;
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  results::answer found;
  report::sheet sheet{.key = "variants",
                      .title = "Variants",
                      .fields = fields(),
                      .grouped_by = results::workload_field_count};
  const auto latest = store.latest(query);
  for (const auto& seen : latest) {
    const auto f = results::frontier_of(seen);
    if (f.variants.size() < 2 || f.compared.empty()) continue;
    add_rows(sheet, seen, f, given.flag("frontier-only"));
    if (found.charts.size() == most_charts) continue;
    if (auto chart = chart_of(seen, f)) found.charts.push_back(std::move(*chart));
  }
  sheet.empty = latest.empty() ? results::nothing_measured(query)
                               : "No stored workload has two sound variants that can be weighed; `ridge run` "
                                 "measures more of them.";
  found.document.schema = "ridge.pareto/1";
  found.document.title = "Pareto frontiers";
  results::fold_common(sheet, {"machine", "backend", "weighed_by", "run"});
  found.document.sheets.push_back(std::move(sheet));
  found.document.notes = {
      "A frontier holds within one workload, in what is known of all its variants. Times that cannot be told "
      "apart, "
      "memory and energy within 1 % and errors within a factor of two count as the same."};
  return found;
}

}  // namespace

results::analysis make() {
  return {
      .name = "pareto",
      .command = "analyze",
      .title = "Pareto frontiers",
      .question = "Which variants of a workload are not beaten in time, memory, energy and error at once?",
      .parameters = results::workload_parameters_and({{.key = "frontier-only",
                                                       .kind = results::parameter_kind::flag,
                                                       .help = "Leave dominated variants out"}}),
      .run = run};
}

}  // namespace ridge::analyses::pareto
