// SPDX-License-Identifier: Apache-2.0
// Which measured variants meet these limits, and what would the nearest others need? Nothing is modelled
// here: `ridge plan whatif` answers for models and GPUs that were not measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/analysis/whatif.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/results/objectives.hpp>
#include <ridge/results/parameters.hpp>

namespace ridge::analyses::whatif {

results::analysis make();

namespace {

using model::latest_measurement;
using model::workload_result;

// A limit that can be given, and the value of a variant that it holds for.
struct limit_kind {
  std::string_view key{};
  std::string_view unit{};
  bool at_most = true;
  std::optional<double> (*value)(const workload_result& seen, const latest_measurement& m) = nullptr;
};

std::optional<double> memory(const workload_result&, const latest_measurement& m) {
  return results::memory_of(m.point);
}
std::optional<double> latency(const workload_result&, const latest_measurement& m) {
  return results::objective_named("time").value(m);
}
std::optional<double> throughput(const workload_result& seen, const latest_measurement& m) {
  const auto time = latency(seen, m);
  if (!time || !(seen.workload.items > 0)) return std::nullopt;
  return seen.workload.items / *time;
}
std::optional<double> energy(const workload_result&, const latest_measurement& m) { return m.point.energy_j; }
std::optional<double> power(const workload_result& seen, const latest_measurement& m) {
  const auto time = latency(seen, m);
  if (!time || !m.point.energy_j) return std::nullopt;
  return *m.point.energy_j / *time;
}

constexpr limit_kind kinds[] = {{"vram", "B", true, memory},
                                {"latency", "s", true, latency},
                                {"throughput", "items/s", false, throughput},
                                {"energy", "J", true, energy},
                                {"power", "W", true, power}};

const limit_kind& kind_of(const analysis::constraint& limit) {
  return *std::ranges::find(kinds, std::string_view(limit.quantity), &limit_kind::key);
}

std::vector<analysis::constraint> limits_given(const results::arguments& given) {
  std::vector<analysis::constraint> limits;
  for (const auto& k : kinds) {
    if (const auto value = given.quantity(k.key))
      limits.push_back({.quantity = std::string(k.key), .at_most = k.at_most, .limit = *value});
  }
  return limits;
}

analysis::candidate candidate_of(const workload_result& seen, const latest_measurement& m) {
  analysis::candidate c{.name = m.series.variant, .basis = "measured"};
  for (const auto& k : kinds) {
    if (const auto value = k.value(seen, m)) c.values.emplace(k.key, *value);
  }
  return c;
}

// How far a value is from its limit: "33 % above"; from ten times on "1480 times the limit".
std::string distance_text(const analysis::constraint& limit, double value, double excess) {
  constexpr double far = 10;
  if (limit.at_most && limit.limit > 0 && value / limit.limit >= far)
    return fmt::format("{} times the limit", format_grouped(std::llround(value / limit.limit)));
  return fmt::format("{:.3g} % {}", 100 * excess, limit.at_most ? "above" : "below");
}

// "vram 32 GiB > 24 GiB (33 % above)", "energy unknown"
std::string reason(const analysis::judged& j, const analysis::candidate& c,
                   const std::vector<analysis::constraint>& limits) {
  std::vector<std::string> reasons;
  for (const auto i : j.violated) {
    const auto& limit = limits[i];
    const auto unit = kind_of(limit).unit;
    const auto value = c.values.at(limit.quantity);
    reasons.push_back(fmt::format("{} {} {} {} ({})", limit.quantity, format_quantity(value, unit),
                                  limit.at_most ? ">" : "<", format_quantity(limit.limit, unit),
                                  distance_text(limit, value, j.excess[i])));
  }
  for (const auto i : j.unknown) reasons.push_back(fmt::format("{} unknown", limits[i].quantity));
  return join(reasons, "; ");
}

struct found_row {
  int order = 0;  // 0 fits, 1 does not, 2 unknown
  double excess = 0;
  report::row row{};
};

found_row row_of(const workload_result& seen, const analysis::judged& j, const analysis::candidate& c,
                 const std::vector<analysis::constraint>& limits) {
  const auto value = [&](std::string_view key) {
    const auto at = c.values.find(std::string(key));
    return at == c.values.end() ? report::value(std::monostate{}) : report::value(at->second);
  };
  found_row made;
  for (const double e : j.excess) made.excess += std::isfinite(e) ? std::max(e, 0.0) : 0;
  made.order = j.feasible() ? 0 : j.violated.empty() ? 2 : 1;
  const auto& w = seen.workload;
  made.row = {.values = results::workload_values_and(w, {c.name,
                                                         std::string(made.order == 0   ? "yes"
                                                                     : made.order == 1 ? "no"
                                                                                       : "unknown"),
                                                         value("vram"), value("latency"), value("throughput"),
                                                         value("energy"), reason(j, c, limits), seen.run}),
              .look = made.order == 0 ? report::tone::good : report::tone::dim};
  return made;
}

void judge(std::vector<found_row>& rows, const workload_result& seen,
           const std::vector<analysis::constraint>& limits, std::size_t nearest) {
  std::vector<analysis::candidate> candidates;
  for (const auto* m : results::deciding(seen)) candidates.push_back(candidate_of(seen, *m));
  const auto answer = analysis::solve_whatif(candidates, limits, {.key = "latency", .least = true});
  for (const auto& j : answer.feasible) rows.push_back(row_of(seen, j, candidates[j.candidate], limits));
  // Where one fits, those that do not are of no use; where none does, the nearest show what is missing.
  if (!answer.feasible.empty()) return;
  for (std::size_t i = 0; i < answer.rejected.size() && i < nearest; ++i)
    rows.push_back(row_of(seen, answer.rejected[i], candidates[answer.rejected[i].candidate], limits));
}

std::vector<report::field> fields() {
  using report::unit;
  return results::workload_fields_and({{.key = "variant", .header = "variant"},
                                       {.key = "fits", .header = "fits"},
                                       {.key = "memory", .header = "memory", .unit = unit::bytes},
                                       {.key = "time", .header = "time", .unit = unit::seconds},
                                       {.key = "throughput", .header = "items/s", .unit = unit::rate},
                                       {.key = "energy", .header = "energy", .unit = unit::joules},
                                       {.key = "because", .header = "what stands against it"},
                                       {.key = "run", .header = "run"}});
}

result<results::answer> run(store::store& store, const results::arguments& given) {
  const auto limits = limits_given(given);
  if (limits.empty())
    return error{"no limit was given",
                 "give one or more of vram, latency, throughput, energy, power: --vram 24GiB"};
  const auto query = results::workloads_asked_for(given);
  std::vector<found_row> rows;
  const auto latest = store.latest(query);
  for (const auto& seen : latest) judge(rows, seen, limits, *given.count("nearest"));
  std::ranges::stable_sort(rows, [](const found_row& a, const found_row& b) {
    return a.order != b.order ? a.order < b.order : a.excess < b.excess;
  });
  results::answer found;
  report::sheet sheet{.key = "variants",
                      .title = "Measured variants",
                      .fields = fields(),
                      .grouped_by = results::workload_field_count};
  std::int64_t fitting = 0;
  for (auto& r : rows) {
    fitting += r.order == 0 ? 1 : 0;
    sheet.rows.push_back(std::move(r.row));
  }
  sheet.empty = latest.empty()
                    ? results::nothing_measured(query)
                    : "Every stored variant is INVALID or was not measured; `ridge run` measures again.";
  found.document.schema = "ridge.whatif.measured/1";
  found.document.title = "What fits";
  found.document.facts = {{"fitting", fitting}};
  results::fold_common(sheet, {"machine", "backend", "run"});
  found.document.sheets.push_back(std::move(sheet));
  found.document.notes = {
      "Measured results only, each of its own problem. `ridge plan whatif` models what was not measured."};
  return found;
}

results::parameter limit(std::string_view key, std::string_view unit, std::string_view help) {
  return {
      .key = key, .kind = results::parameter_kind::quantity, .placeholder = "N", .help = help, .unit = unit};
}

}  // namespace

results::analysis make() {
  return {.name = "whatif",
          .command = "whatif",
          .title = "What if",
          .question = "Which measured variants meet these limits, and which come nearest?",
          .parameters = results::workload_parameters_and(
              {limit("vram", "GiB", "Greatest memory of a call: arrays and peak"),
               limit("latency", "ms", "Greatest time of a call"),
               limit("throughput", "/s", "Least items per second"),
               limit("energy", "J", "Greatest energy of a call"),
               limit("power", "W", "Greatest mean power of a call"),
               {.key = "nearest",
                .kind = results::parameter_kind::count,
                .placeholder = "N",
                .help = "How many variants to show of a workload where none fits",
                .preset = "1"}}),
          .run = run};
}

}  // namespace ridge::analyses::whatif
