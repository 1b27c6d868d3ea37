// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/trace/op_model.hpp>

namespace ridge::trace {

// What a device can do at most, as the caller knows it (a datasheet, a measurement). 0: not known.
struct device_peaks {
  std::string name{};    // "H100 SXM"
  std::string source{};  // "datasheet", "measured 2026-11-21", "--peaks"
  double bytes_per_s = 0;
  std::array<double, number_type_count> vector_flop_per_s{};  // by number_type
  std::array<double, number_type_count> matrix_flop_per_s{};  // dense
  int sms = 0;                                                // multiprocessors; 0: as the trace tells
  double clock_hz = 0;                                        // of the multiprocessors, at most
  double launch_s = 5e-6;  // kernels of roofs below it are told by latency, not by the roof

  // Of matrix work the matrix units' peak; where there is none, and for all else, the vector lanes'.
  [[nodiscard]] double flop_per_s(number_type t, bool matrix) const;
};

enum class roof_bound : std::uint8_t { unknown, memory, compute };
[[nodiscard]] std::string_view name(roof_bound b);

// One call, or several alike, on the roofline (Williams, Waterman and Patterson, CACM 52, 2009).
struct roofline_place {
  roof_bound bound = roof_bound::unknown;
  double compute_s = 0;                    // flops / peak; 0: nothing to compute, or the peak is not known
  double memory_s = 0;                     // bytes / bandwidth
  double roof_s = 0;                       // the larger one: what the call takes at least
  double share = 0;                        // roof_s / measured time
  double flop_per_s = 0, bytes_per_s = 0;  // reached
  double compute_share = 0, memory_share = 0;  // of the peak, of the bandwidth
  // share > 1.05 (rule T8): a wrong peak, wrong bytes, or data that stayed in a cache; never "excellent".
  bool anomaly = false;
};

// nullopt: no time was measured, or neither peak that the model needs is known.
[[nodiscard]] std::optional<roofline_place> place(const op_model& model, nanoseconds measured_ns,
                                                  const device_peaks& peaks);

}  // namespace ridge::trace
