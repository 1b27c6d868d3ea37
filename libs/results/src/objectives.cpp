// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/objectives.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <ridge/base/expects.hpp>

namespace ridge::results {
namespace {

std::optional<double> time_of(const model::latest_measurement& m) {
  if (m.series.metric.unit != "s" || !(m.point.median > 0)) return std::nullopt;
  return m.point.median;
}

std::optional<double> bytes_of(const model::latest_measurement& m) { return memory_of(m.point); }
std::optional<double> energy_of(const model::latest_measurement& m) { return m.point.energy_j; }
std::optional<double> error_of(const model::latest_measurement& m) {
  return std::isfinite(m.point.max_rel_error) ? std::optional(m.point.max_rel_error) : std::nullopt;
}

constexpr std::array all_objectives = std::to_array<objective>({
    {"time", "s", report::unit::seconds, time_of},
    {"memory", "B", report::unit::bytes, bytes_of},
    {"energy", "J", report::unit::joules, energy_of},
    {"error", "", report::unit::number, error_of},
});

bool dominates(const model::workload_result& seen, const frontier& f, const model::latest_measurement& first,
               const model::latest_measurement& second) {
  bool better = false;
  for (const auto* o : f.compared) {
    const int decided = order_in(*o, seen, first, second);
    if (decided > 0) return false;
    better = better || decided < 0;
  }
  return better;
}

}  // namespace

int order_in(const objective& o, const model::workload_result& seen, const model::latest_measurement& first,
             const model::latest_measurement& second) {
  if (o.key == "time" && tied(seen, first, second)) return 0;
  const double a = *o.value(first), b = *o.value(second);
  const double least_factor = o.key == "error" ? 2 : o.key == "time" ? 1 : 1.01;
  if (a == b || std::max(a, b) < least_factor * std::min(a, b)) return 0;
  return a < b ? -1 : 1;
}

std::span<const objective> objectives() { return all_objectives; }

const objective& objective_named(std::string_view key) {
  const auto* const found = std::ranges::find(all_objectives, key, &objective::key);
  expects(found != all_objectives.end(), "results: an objective that does not exist");
  return *found;
}

frontier frontier_of(const model::workload_result& seen) {
  frontier f;
  const auto variants = deciding(seen);
  for (const auto& o : all_objectives) {
    const bool known = !variants.empty() &&
                       std::ranges::all_of(variants, [&](const auto* m) { return o.value(*m).has_value(); });
    (known ? f.compared : f.unmeasured).push_back(&o);
  }
  for (const auto* m : variants) {
    auto& one = f.variants.emplace_back(weighed{m});
    for (const auto* other : variants) {
      if (other != m && dominates(seen, f, *other, *m)) one.dominated_by.push_back(other->series.variant);
    }
  }
  return f;
}

}  // namespace ridge::results
