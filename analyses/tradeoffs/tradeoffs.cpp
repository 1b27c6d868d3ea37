// SPDX-License-Identifier: Apache-2.0
// What does a variant give, and what does it take for it? Each against the baseline of its own workload.
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/objectives.hpp>
#include <ridge/results/parameters.hpp>

namespace ridge::analyses::tradeoffs {

results::analysis make();

namespace {

using model::latest_measurement;
using model::workload_result;

std::vector<report::field> fields() {
  using report::unit;
  return results::workload_fields_and({{.key = "variant", .header = "variant"},
                                       {.key = "against", .header = "against"},
                                       {.key = "ratio", .header = "× better", .unit = unit::number},
                                       {.key = "ratio_lo", .header = "from", .unit = unit::number},
                                       {.key = "ratio_hi", .header = "up to", .unit = unit::number},
                                       {.key = "metric", .header = "in"},
                                       {.key = "memory_ratio", .header = "memory ×", .unit = unit::number},
                                       {.key = "energy_ratio", .header = "energy ×", .unit = unit::number},
                                       {.key = "error", .header = "error", .unit = unit::number},
                                       {.key = "baseline_error", .header = "its error", .unit = unit::number},
                                       {.key = "trade", .header = "trade"},
                                       {.key = "run", .header = "run"}});
}

// How one quantity of the variant stands to that of the baseline; absent where one of them is unknown.
std::optional<double> quotient(std::optional<double> of_variant, std::optional<double> of_baseline) {
  if (!of_variant || !of_baseline || !(*of_baseline > 0)) return std::nullopt;
  return *of_variant / *of_baseline;
}

// Sorts what one objective says of the variant into what it gives and what it takes.
void sort_into(std::vector<std::string>& gives, std::vector<std::string>& takes, std::string_view key,
               std::string_view better, std::string_view worse, const workload_result& seen,
               const latest_measurement& variant, const latest_measurement& baseline) {
  const auto& o = results::objective_named(key);
  if (!o.value(variant) || !o.value(baseline)) return;
  const int order = results::order_in(o, seen, variant, baseline);
  if (order < 0) gives.emplace_back(better);
  if (order > 0) takes.emplace_back(worse);
}

// "gives speed, takes memory"
std::string trade_of(const workload_result& seen, const results::paired_ratio& ratio,
                     const latest_measurement& m, const latest_measurement& baseline) {
  std::vector<std::string> gives, takes;
  const auto& metric = m.series.metric.name;
  const auto gained = metric == "time" ? std::string("speed") : fmt::format("better {}", metric);
  const auto lost = metric == "time" ? std::string("speed") : fmt::format("worse {}", metric);
  if (ratio.ci.lo > 1) gives.push_back(gained);
  if (ratio.ci.hi < 1) takes.push_back(lost);
  sort_into(gives, takes, "memory", "less memory", "more memory", seen, m, baseline);
  sort_into(gives, takes, "energy", "less energy", "more energy", seen, m, baseline);
  sort_into(gives, takes, "error", "accuracy", "accuracy", seen, m, baseline);
  if (gives.empty() && takes.empty()) return "no difference was seen";
  if (takes.empty()) return fmt::format("gives {}", join(gives, " and "));
  if (gives.empty()) return fmt::format("takes {}", join(takes, " and "));
  return fmt::format("gives {}, takes {}", join(gives, " and "), join(takes, " and "));
}

void add_rows(report::sheet& sheet, std::vector<report::chart_series>& series, const workload_result& seen) {
  const auto* baseline = results::baseline_of(seen);
  if (baseline == nullptr) return;
  report::chart_series one{.name = results::workload_text(seen.workload), .mark = report::chart_mark::points};
  for (const auto* m : results::deciding(seen)) {
    const auto speed = results::ratio_of(seen, m->series.variant, baseline->series.variant);
    if (m == baseline || !speed) continue;
    const auto memory = quotient(results::memory_of(m->point), results::memory_of(baseline->point));
    const auto energy = quotient(m->point.energy_j, baseline->point.energy_j);
    const double error = m->point.max_rel_error, baseline_error = baseline->point.max_rel_error;
    const auto& metric = m->series.metric.name;
    sheet.rows.push_back(
        {.values = results::workload_values_and(
             seen.workload,
             {m->series.variant, baseline->series.variant, speed->ratio, speed->ci.lo, speed->ci.hi, metric,
              results::known_or_unknown(memory), results::known_or_unknown(energy),
              results::known_or_unknown(error), results::known_or_unknown(baseline_error),
              trade_of(seen, *speed, *m, *baseline), seen.run})});
    if (memory) one.points.push_back({*memory, speed->ratio, m->series.variant});
  }
  if (!one.points.empty()) series.push_back(std::move(one));
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  results::answer found;
  report::sheet sheet{.key = "tradeoffs",
                      .title = "Trade-offs",
                      .fields = fields(),
                      .grouped_by = results::workload_field_count};
  report::chart chart{
      .title = "What is given for what is taken",
      .subtitle = "each variant against the baseline of its workload",
      .x = {.label = "memory, times the baseline's", .scale = report::chart_scale::logarithmic},
      .y = {.label = "times better than the baseline", .scale = report::chart_scale::logarithmic}};
  const auto latest = store.latest(query);
  for (const auto& seen : latest) add_rows(sheet, chart.series, seen);
  sheet.empty = latest.empty() ? results::nothing_measured(query)
                               : "No stored variant was compared with a baseline; `ridge run` compares them.";
  if (!chart.series.empty()) found.charts.push_back(std::move(chart));
  found.document.schema = "ridge.tradeoffs/1";
  found.document.title = "Trade-offs";
  results::fold_common(sheet, {"machine", "backend", "metric", "run"});
  found.document.sheets.push_back(std::move(sheet));
  found.document.notes = {
      "Ratios of time come from pairs and have an interval of 95 %. Memory and energy count where they "
      "differ by 1 %, "
      "errors, the largest relative ones against the oracle, where they differ by a factor of two. Empty: "
      "not measured."};
  return found;
}

}  // namespace

results::analysis make() {
  return {.name = "tradeoffs",
          .command = "analyze",
          .title = "Trade-offs",
          .question = "What does a variant give, and what does it take for it?",
          .parameters = results::workload_parameters(),
          .run = run};
}

}  // namespace ridge::analyses::tradeoffs
