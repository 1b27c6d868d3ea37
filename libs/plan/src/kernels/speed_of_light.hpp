// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

namespace ridge::plan::kernels {

// The type in which products with such weights are computed on this GPU: formats without matrix units are
// unpacked to 16 bits first (weight-only kernels).
[[nodiscard]] std::string_view compute_type_on(const accelerator& gpu, const number_format& weights);

// The time of a demand at the full rates of the datasheet, without a floor.
[[nodiscard]] inline kernel_time light_of(const accelerator& gpu, const demand& d, std::string_view type) {
  return {d.flop / gpu.peak_flop_per_s(type), d.bytes / gpu.bandwidth_bytes_per_s, 0};
}

// Bytes that one GPU sends over bytes of its buffer.
[[nodiscard]] inline double wire_share(collective kind, int ranks) {
  const double n = std::max(ranks, 1);
  if (kind == collective::point_to_point) return 1;
  return (n - 1) / n * (kind == collective::all_reduce ? 2 : 1);
}

}  // namespace ridge::plan::kernels
