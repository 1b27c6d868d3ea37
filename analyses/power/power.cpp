// SPDX-License-Identifier: Apache-2.0
// How much work does a joule do? Energy is what a meter counted while samples of the variant ran; nothing is
// taken from the power that a GPU is rated for. Variants of one workload do the same work, so that the one
// with the least energy of a call does the most work per joule.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/analysis.hpp>
#include <ridge/results/objectives.hpp>
#include <ridge/results/parameters.hpp>
#include <ridge/results/timed.hpp>

namespace ridge::analyses::power {

results::analysis make();

namespace {

using model::latest_measurement;
using model::workload_result;
using results::known_or_unknown;

constexpr std::size_t most_charts = 6;

std::vector<report::field> fields() {
  using report::unit;
  return results::workload_fields_and(
      {{.key = "rank", .header = "rank", .unit = unit::count},
       {.key = "variant", .header = "variant"},
       {.key = "role", .header = "role"},
       {.key = "energy_j", .header = "energy of a call", .unit = unit::joules},
       {.key = "power_w", .header = "mean power", .unit = unit::watts},
       {.key = "flop_per_j", .header = "FLOP per J", .unit = unit::flop},
       {.key = "bytes_per_j", .header = "bytes per J", .unit = unit::bytes},
       {.key = "items_per_j", .header = "items per J", .unit = unit::number},
       {.key = "ratio", .header = "× baseline", .unit = unit::number},
       {.key = "verdict", .header = "in time"},
       {.key = "run", .header = "run"}});
}

// A quantity of the work over joules; unknown where the workload does not state it.
report::value per_joule(double work, double joules) {
  return work > 0 ? known_or_unknown(work / joules) : report::value(std::monostate{});
}

// Mean power of a call. Its energy and its time were seen in different samples of the same calls.
std::optional<double> power_of(const workload_result& seen, const latest_measurement& m) {
  for (const auto* t : results::timed(seen)) {
    if (t->series.variant == m.series.variant) return *m.point.energy_j / t->point.median;
  }
  return std::nullopt;
}

report::row row_of(const workload_result& seen, const results::ranked& r) {
  const auto& w = seen.workload;
  const auto& m = *r.measured;
  const auto* baseline = results::baseline_of(seen);
  std::optional<double> ratio;
  if (baseline != nullptr && baseline != &m && baseline->point.energy_j.value_or(0) > 0)
    ratio = *baseline->point.energy_j / r.value;
  return {.values = results::workload_values_and(
              w, {std::int64_t{r.rank}, m.series.variant, std::string(name(m.series.role)), r.value,
                  known_or_unknown(power_of(seen, m)), per_joule(w.flop, r.value),
                  per_joule(w.bytes, r.value), per_joule(w.items, r.value), known_or_unknown(ratio),
                  results::verdict_in_time(seen, m.series.variant), seen.run}),
          .look = r.rank == 1 ? report::tone::good : report::tone::plain};
}

// The variants whose energy was metered, the least first.
std::vector<results::ranked> metered(const workload_result& seen) {
  std::vector<results::ranked> values;
  for (const auto* m : results::deciding(seen)) {
    const double joules = m->point.energy_j.value_or(0);
    if (joules > 0) values.push_back({m, joules, {joules, joules}});
  }
  const auto& energy = results::objective_named("energy");
  results::rank_values(values, true, [&](const results::ranked& first, const results::ranked& second) {
    return results::order_in(energy, seen, *first.measured, *second.measured) == 0;
  });
  return values;
}

// Time against energy: how far what is fast is also frugal.
std::optional<report::chart> chart_of(const workload_result& seen, const std::vector<results::ranked>& all) {
  report::chart c{.title = results::workload_text(seen.workload),
                  .subtitle = fmt::format("{}, {}", seen.workload.machine, name(seen.workload.backend)),
                  .x = {.label = "time of a call", .unit = "s", .scale = report::chart_scale::logarithmic},
                  .y = {.label = "energy of a call", .unit = "J", .scale = report::chart_scale::logarithmic}};
  for (const auto& r : all) {
    const auto watts = power_of(seen, *r.measured);
    if (!watts) continue;
    const auto& variant = r.measured->series.variant;
    c.series.push_back({.name = variant,
                        .mark = report::chart_mark::points,
                        .points = {{r.value / *watts, r.value, variant}}});
  }
  return c.series.size() < 2 ? std::nullopt : std::optional(std::move(c));
}

// Workloads without energy, by machine and backend: which setting would meter them.
class unmetered final {
 public:
  void add(const model::workload& w) { ++counts_[{w.machine, w.backend}]; }

  [[nodiscard]] report::sheet sheet() const {
    report::sheet s{.key = "unmetered",
                    .title = "Workloads without energy",
                    .fields = {{.key = "machine", .header = "machine"},
                               {.key = "backend", .header = "backend"},
                               {.key = "workloads", .header = "workloads", .unit = report::unit::count},
                               {.key = "remedy", .header = "what would meter it"}}};
    for (const auto& [place, count] : counts_)
      s.rows.push_back({.values = {place.first, std::string(name(place.second)), count, remedy(place.second)},
                        .look = report::tone::dim});
    return s;
  }

 private:
  static std::string remedy(model::backend where) {
    return where == model::backend::cpu
               ? "`ridge run ID` where the kernel shows RAPL counters: virtual machines hide them"
               : "`ridge run ID --profile deep` reads the GPU's counter, which takes 5 s a variant";
  }

  std::map<std::pair<std::string, model::backend>, std::int64_t> counts_{};
};

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto query = results::workloads_asked_for(given);
  const auto latest = store.latest(query);
  results::answer found;
  report::sheet sheet{.key = "variants",
                      .title = "Work per joule",
                      .fields = fields(),
                      .grouped_by = results::workload_field_count};
  unmetered without;
  for (const auto& seen : latest) {
    const auto values = metered(seen);
    if (values.empty()) without.add(seen.workload);
    for (std::size_t i = 0; i < values.size() && i < *given.count("top"); ++i)
      sheet.rows.push_back(row_of(seen, values[i]));
    if (found.charts.size() == most_charts) continue;
    if (auto chart = chart_of(seen, values)) found.charts.push_back(std::move(*chart));
  }
  sheet.empty = latest.empty() ? results::nothing_measured(query)
                               : "No stored result has energy; `ridge run` meters it as said below.";
  results::fold_common(sheet, {"machine", "backend", "run"});
  found.document = {
      .schema = "ridge.power.measured/1",
      .title = "Power efficiency",
      .sheets = {std::move(sheet)},
      .notes = {"Energy of the whole GPU or processor package, idle power included, from a meter "
                "around samples of their own. Work is what the workload must do by definition. "
                "Ranks hold within one workload; energies within 1 % share one."}};
  if (!latest.empty()) found.document.sheets.push_back(without.sheet());
  return found;
}

}  // namespace

results::analysis make() {
  return {
      .name = "power",
      .command = "power",
      .title = "Power efficiency",
      .question = "How many operations, bytes and items does a variant do per joule?",
      .parameters = results::workload_parameters_and({{.key = "top",
                                                       .kind = results::parameter_kind::count,
                                                       .placeholder = "N",
                                                       .help = "Greatest number of variants of a workload",
                                                       .preset = "5"}}),
      .run = run};
}

}  // namespace ridge::analyses::power
