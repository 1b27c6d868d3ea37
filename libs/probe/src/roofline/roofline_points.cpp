// SPDX-License-Identifier: Apache-2.0
#include "roofline/roofline_points.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/probe/roof_name.hpp>
#include <ridge/probe/roofs.hpp>

namespace ridge::probe {
namespace {

// As in a run (harness/ceilings): smaller arrays may stay in the caches.
constexpr double comparable_size = 0.125;
constexpr double line_bytes = 64;

const model::estimate* time_of(const model::measurement& m) {
  for (const auto& e : m.metrics) {
    if (e.metric.name == "time" && e.metric.unit == "s" && e.metric.clock != model::clock_kind::simulated)
      return &e;
  }
  return nullptr;
}

// Returns the time of one call; it is computed from the work where a rate was measured instead of a time.
double seconds_of(const model::measurement& m) {
  if (const auto* time = time_of(m)) return time->median;
  if (m.flop_per_s && *m.flop_per_s > 0) return m.flop / *m.flop_per_s;
  if (m.bytes_per_s && *m.bytes_per_s > 0) return m.bytes_moved / *m.bytes_per_s;
  return 0;
}

bool is_simulated(const model::measurement& m) {
  return !m.metrics.empty() && m.metrics.front().metric.clock == model::clock_kind::simulated;
}

// Sets the type of its multiplications: that of the peak which limits it, as the run named it, else the value
// of an axis.
void name_type(model::roofline_point& p, const model::measurement& m, const model::family& f) {
  const auto peak = roof_of(std::string_view(m.ceiling).substr(0, m.ceiling.find(',')));
  p.dtype = "fp32", p.units = "vector";
  if (peak && peak->kind == model::roof_kind::compute) {
    p.dtype = peak->dtype, p.units = peak->units;
    return;
  }
  for (const auto& [axis, value] : f.problem) {
    const auto* word = std::get_if<std::string>(&value);
    if (axis != "dtype" || !word || !roof_of("cuda.mma." + *word)) continue;
    p.dtype = *word;
    p.units =
        f.backend == model::backend::cuda && p.dtype != "fp32" && p.dtype != "fp64" ? "matrix" : "vector";
  }
}

std::optional<double> counted(const model::measurement& m, std::string_view name) {
  const auto at = std::ranges::find(m.counters, name, &std::pair<std::string, double>::first);
  return at == m.counters.end() ? std::nullopt : std::optional(at->second);
}

// Returns the counted bytes that passed DRAM. On a CPU whose counters do not include the memory controller,
// these are the lines that missed the last cache, without prefetched and streamed lines.
std::optional<double> counted_bytes(const model::measurement& m) {
  if (const auto bytes = counted(m, "dram_bytes")) return bytes;
  const auto read = counted(m, "dram_read_bytes"), written = counted(m, "dram_write_bytes");
  if (read && written) return *read + *written;
  const auto misses = counted(m, "llc_misses");
  return misses && *misses > 0 ? std::optional(*misses * line_bytes) : std::nullopt;
}

void add_measured(model::roofline_point& p, const model::measurement& m) {
  const auto bytes = p.level == "DRAM" ? counted_bytes(m) : std::nullopt;
  if (!bytes || *bytes <= 0) return;
  p.measured_bytes = *bytes;
  if (p.flop > 0) p.measured_intensity = p.flop / *bytes;
}

model::roofline_point point_of(const model::measurement& m, const model::family& f, const model::peak& peak) {
  const auto problem = model::text(f.problem);
  model::roofline_point p{.threads = m.threads, .flop = m.flop, .bytes = m.bytes_moved};
  p.group = f.experiment + (problem.empty() ? "" : ' ' + problem);
  p.kernel = p.group + ": " + m.variant;
  p.label = m.variant;
  p.level = level_of(m.memory.reserved_bytes > 0 ? m.memory.reserved_bytes : m.bytes_moved, peak, f.backend);
  name_type(p, m, f);
  p.seconds = seconds_of(m);
  p.intensity = p.bytes > 0 ? p.flop / p.bytes : 0;
  p.flop_per_s = p.flop / p.seconds;
  p.bytes_per_s = p.bytes / p.seconds;
  if (const auto* time = time_of(m); time && time->ci.lo > 0)
    p.flop_per_s_ci = {p.flop / time->ci.hi, p.flop / time->ci.lo};
  add_measured(p, m);
  return p;
}

}  // namespace

std::string level_of(double array_bytes, const model::peak& peak, model::backend backend) {
  std::string found = "cache";
  double smallest = 0;
  for (const auto& row : peak.ceilings) {
    const auto name =
        row.id.starts_with(fmt::format("{}.", model::name(backend))) ? roof_of(row.id) : std::nullopt;
    if (!name || name->kind != model::roof_kind::bandwidth || row.size_bytes <= 0) continue;
    if (name->level == "DRAM" && array_bytes >= comparable_size * row.size_bytes) return "DRAM";
    const double holds = (backend == model::backend::cuda ? 4 : 2) * row.size_bytes;
    const bool cache = name->level == "L1" || name->level == "L2" || name->level == "L3";
    const bool on_gpu_sm = backend == model::backend::cuda && name->level == "L1";
    if (!cache || on_gpu_sm || array_bytes > holds || (smallest > 0 && holds >= smallest)) continue;
    smallest = holds;
    found = name->level;
  }
  const bool nothing_known = std::ranges::none_of(peak.ceilings, [&](const model::ceiling& c) {
    const auto name =
        c.id.starts_with(fmt::format("{}.", model::name(backend))) ? roof_of(c.id) : std::nullopt;
    return name && name->level == "DRAM" && c.size_bytes > 0;
  });
  return nothing_known ? "DRAM" : found;
}

std::vector<model::roofline_point> points_of(const model::family& family, const model::peak& peak) {
  std::vector<model::roofline_point> points;
  for (const auto& m : family.measurements) {
    const bool timed = m.skipped.empty() && m.refused.empty() && !is_simulated(m);
    if (!timed || seconds_of(m) <= 0 || (m.flop <= 0 && m.bytes_moved <= 0)) continue;
    points.push_back(point_of(m, family, peak));
  }
  return points;
}

}  // namespace ridge::probe
