// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/deployments.hpp>

#include <algorithm>

namespace ridge::analysis {
namespace {

std::optional<double> median_of(const model::measurement& m, std::string_view metric) {
  const auto at =
      std::ranges::find_if(m.metrics, [&](const model::estimate& e) { return e.metric.name == metric; });
  return at == m.metrics.end() ? std::nullopt : std::optional(at->median);
}

candidate candidate_of(const model::family& f, const model::measurement& m) {
  const auto point = model::text(f.problem);
  candidate c{.name = f.experiment + (point.empty() ? "" : ' ' + point) + ' ' + m.variant,
              .basis = "measured",
              .settings = {{"experiment", f.experiment}, {"problem", point}, {"variant", m.variant}}};
  const auto time = median_of(m, "time");
  if (time) c.values["latency"] = *time;
  if (m.memory.peak_bytes > 0) c.values["vram"] = m.memory.peak_bytes;
  if (time && m.items > 0) c.values["throughput"] = m.items / *time;
  if (m.energy_j) c.values["energy"] = *m.energy_j;
  if (m.energy_j && time) c.values["power"] = *m.energy_j / *time;
  for (const auto& q : m.quantiles) {
    const auto space = q.name.find(' ');
    if (space != std::string::npos)
      c.values[q.name.substr(0, space) + '.' + q.name.substr(space + 1)] = q.value;
  }
  return c;
}

}  // namespace

std::vector<candidate> measured_candidates(const model::run& r) {
  std::vector<candidate> all;
  for (const auto& f : r.families) {
    for (const auto& m : f.measurements) {
      if (m.skipped.empty() && m.refused.empty()) all.push_back(candidate_of(f, m));
    }
  }
  return all;
}

}  // namespace ridge::analysis
