// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/roofline_place.hpp>

#include <algorithm>

namespace ridge::trace {
namespace {

constexpr double believable = 1.05;

}  // namespace

double device_peaks::flop_per_s(number_type t, bool matrix) const {
  const auto at = static_cast<std::size_t>(t);
  const auto by_matrix = matrix ? matrix_flop_per_s.at(at) : 0;
  return by_matrix > 0 ? by_matrix : vector_flop_per_s.at(at);
}

std::string_view name(roof_bound b) {
  constexpr std::array<std::string_view, 3> names{"unknown", "memory", "compute"};
  return names.at(static_cast<std::size_t>(b));
}

std::optional<roofline_place> place(const op_model& model, nanoseconds measured_ns,
                                    const device_peaks& peaks) {
  const auto peak = peaks.flop_per_s(model.type, model.matrix);
  if (measured_ns <= 0) return std::nullopt;
  if (model.matrix && peak <= 0) return std::nullopt;
  if (peaks.bytes_per_s <= 0 && (model.bytes > 0 || peak <= 0)) return std::nullopt;
  const auto seconds = static_cast<double>(measured_ns) * 1e-9;
  roofline_place p;
  p.compute_s = peak > 0 ? model.flops / peak : 0;
  p.memory_s = peaks.bytes_per_s > 0 ? model.bytes / peaks.bytes_per_s : 0;
  p.roof_s = std::max(p.compute_s, p.memory_s);
  if (p.roof_s <= 0) return std::nullopt;
  p.bound = p.compute_s > p.memory_s ? roof_bound::compute : roof_bound::memory;
  p.share = p.roof_s / seconds;
  p.compute_share = p.compute_s / seconds;
  p.memory_share = p.memory_s / seconds;
  p.flop_per_s = model.flops / seconds;
  p.bytes_per_s = model.bytes / seconds;
  p.anomaly = p.share > believable;
  return p;
}

}  // namespace ridge::trace
