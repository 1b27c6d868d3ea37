// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

namespace ridge::plan::kernels {

// What products of such weights compute in on this GPU: formats whose units it lacks are unpacked to 16 bit
// first (weight-only kernels).
[[nodiscard]] std::string_view compute_type_on(const accelerator& gpu, const number_format& weights);

// A demand at the datasheet's full rates, no floor.
[[nodiscard]] inline kernel_time light_of(const accelerator& gpu, const demand& d, std::string_view type) {
  return {d.flop / gpu.peak_flop_per_s(type), d.bytes / gpu.bandwidth_bytes_per_s, 0};
}

// Bytes on the wire of one GPU over bytes of its buffer.
[[nodiscard]] inline double wire_share(collective what, int ranks) {
  const double n = std::max(ranks, 1);
  if (what == collective::point_to_point) return 1;
  return (n - 1) / n * (what == collective::all_reduce ? 2 : 1);
}

}  // namespace ridge::plan::kernels
