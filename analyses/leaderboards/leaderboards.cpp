// SPDX-License-Identifier: Apache-2.0
// Which variant of a workload is best? Ranks hold within one workload only: results of different problems or
// machines answer different questions. Variants whose difference was not seen share a rank.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/results/analysis.hpp>
#include <ridge/results/comparable.hpp>
#include <ridge/results/parameters.hpp>

namespace ridge::analyses::leaderboards {

results::analysis make();

namespace {

using model::latest_measurement;
using model::workload_result;
using results::ranked;

// A board: which value of a variant it ranks; nothing where the variant has none.
struct board {
  std::string_view goal{};
  std::string_view title{};
  bool less_is_better = true;
  std::optional<ranked> (*value)(const workload_result& seen, const latest_measurement& m) = nullptr;
  std::string_view (*unit)(const latest_measurement& m) = nullptr;
  bool timed = true;  // pairs of samples say whether two variants differ
};

bool is_known(const latest_measurement& m) { return std::isfinite(m.point.median) && m.point.median > 0; }

bool is_time(const latest_measurement& m) { return m.series.metric.unit == "s" && is_known(m); }

std::optional<ranked> speed_of(const workload_result& seen, const latest_measurement& m) {
  if (!is_time(m) || seen.workload.goal == model::goal::latency) return std::nullopt;
  return ranked{&m, m.point.median, m.point.ci};
}

std::optional<ranked> memory_of(const workload_result&, const latest_measurement& m) {
  const auto bytes = results::memory_of(m.point);
  if (!bytes) return std::nullopt;
  return ranked{&m, *bytes, {*bytes, *bytes}};
}

std::optional<ranked> throughput_of(const workload_result& seen, const latest_measurement& m) {
  if (m.series.metric.better == model::better::higher && m.series.metric.unit.ends_with("/s") && is_known(m))
    return ranked{&m, m.point.median, m.point.ci};
  const double items = seen.workload.items;
  if (!is_time(m) || !(items > 0)) return std::nullopt;
  return ranked{&m, items / m.point.median, {items / m.point.ci.hi, items / m.point.ci.lo}};
}

std::optional<ranked> latency_of(const workload_result& seen, const latest_measurement& m) {
  if (!is_time(m) || seen.workload.goal != model::goal::latency) return std::nullopt;
  return ranked{&m, m.point.median, m.point.ci};
}

std::string_view seconds(const latest_measurement&) { return "s"; }
std::string_view bytes(const latest_measurement&) { return "B"; }
std::string_view per_second(const latest_measurement& m) {
  return m.series.metric.unit == "s" ? std::string_view("items/s") : std::string_view(m.series.metric.unit);
}

constexpr board boards[] = {
    {"speed", "Speed: time of a call", true, speed_of, seconds},
    {"memory", "Memory: arrays and peak of a call", true, memory_of, bytes, false},
    {"throughput", "Throughput: items per second", false, throughput_of, per_second},
    {"latency", "Latency: workloads whose goal it is", true, latency_of, seconds},
};

std::vector<report::field> fields() {
  using report::unit;
  return results::workload_fields_and({{.key = "rank", .header = "rank", .unit = unit::count},
                                       {.key = "variant", .header = "variant"},
                                       {.key = "role", .header = "role"},
                                       {.key = "shown", .header = "median"},
                                       {.key = "interval", .header = "95 % interval"},
                                       {.key = "value"},
                                       {.key = "lo"},
                                       {.key = "hi"},
                                       {.key = "unit"},
                                       {.key = "ratio", .header = "× baseline", .unit = unit::number},
                                       {.key = "ratio_lo"},
                                       {.key = "ratio_hi"},
                                       {.key = "verdict", .header = "verdict"},
                                       {.key = "tied", .header = "tie"},
                                       {.key = "run", .header = "run"}});
}

report::row row_of(const workload_result& seen, const board& b, const ranked& r, bool shares_rank) {
  const auto& w = seen.workload;
  const auto& variant = r.measured->series.variant;
  const auto unit = b.unit(*r.measured);
  const auto* baseline = results::baseline_of(seen);
  const auto* pair =
      baseline == nullptr ? nullptr : results::compared(seen, baseline->series.variant, variant);
  if (!b.timed) pair = nullptr;
  const auto nothing = std::numeric_limits<double>::quiet_NaN();
  return {
      .values = results::workload_values_and(
          w, {std::int64_t{r.rank}, variant, std::string(name(r.measured->series.role)),
              format_quantity(r.value, unit),
              b.timed ? fmt::format("{} - {}", format_quantity(r.ci.lo, unit), format_quantity(r.ci.hi, unit))
                      : std::string(),
              results::known_or_unknown(r.value), results::known_or_unknown(r.ci.lo),
              results::known_or_unknown(r.ci.hi), std::string(unit),
              results::known_or_unknown(pair ? pair->ratio : nothing),
              results::known_or_unknown(pair ? pair->ci.lo : nothing),
              results::known_or_unknown(pair ? pair->ci.hi : nothing),
              pair && pair->judged ? report::value(std::string(name(pair->verdict)))
                                   : report::value(std::monostate{}),
              shares_rank ? report::value(std::string("=")) : report::value(std::monostate{}), seen.run})};
}

void add_rows(report::sheet& sheet, const workload_result& seen, const board& b, std::size_t top) {
  std::vector<ranked> values;
  for (const auto* m : results::deciding(seen)) {
    if (auto value = b.value(seen, *m)) values.push_back(*value);
  }
  if (values.size() < 2) return;  // a workload of one variant ranks nothing
  const auto [least, most] = std::ranges::minmax(values, {}, &ranked::value);
  if (!b.timed && least.value == most.value) return;  // nor does what all need alike
  results::rank_values(values, b.less_is_better, [&](const ranked& first, const ranked& second) {
    if (!b.timed) return first.value == second.value;
    return results::tied(seen, *first.measured, *second.measured);
  });
  for (std::size_t i = 0; i < values.size() && i < top; ++i) {
    const bool before = i > 0 && values[i - 1].rank == values[i].rank;
    const bool after = i + 1 < values.size() && values[i + 1].rank == values[i].rank;
    sheet.rows.push_back(row_of(seen, b, values[i], before || after));
  }
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  const auto latest = store.latest(query);
  const auto wanted = given.text("goal");
  results::answer found;
  found.document.schema = "ridge.leaderboards/1";
  found.document.title = "Leaderboards";
  found.document.facts = {{"workloads", static_cast<std::int64_t>(latest.size())}};
  for (const auto& b : boards) {
    if (wanted != "all" && wanted != b.goal) continue;
    report::sheet sheet{.key = std::string(b.goal),
                        .title = std::string(b.title),
                        .fields = fields(),
                        .grouped_by = results::workload_field_count};
    for (const auto& seen : latest) add_rows(sheet, seen, b, *given.count("top"));
    sheet.empty =
        latest.empty()
            ? results::nothing_measured(query)
            : fmt::format(
                  "No stored workload has two variants that differ in {}. `ridge run` measures more of them.",
                  b.goal);
    results::fold_common(sheet, {"machine", "backend", "run"});
    found.document.sheets.push_back(std::move(sheet));
  }
  found.document.notes = {
      "Ranks hold within one workload. Variants whose difference was not seen share a rank (=); INVALID ones "
      "are left out."};
  return found;
}

}  // namespace

results::analysis make() {
  return {.name = "leaderboards",
          .command = "analyze",
          .title = "Leaderboards",
          .question = "Which variant of a workload is best by speed, memory, throughput or latency?",
          .parameters = results::workload_parameters_and(
              {{.key = "goal",
                .kind = results::parameter_kind::choice,
                .help = "Only the board of this goal",
                .preset = "all",
                .choices = {"all", "speed", "memory", "throughput", "latency"}},
               {.key = "top",
                .kind = results::parameter_kind::count,
                .placeholder = "N",
                .help = "Greatest number of variants of a workload",
                .preset = "3"}}),
          .run = run};
}

}  // namespace ridge::analyses::leaderboards
