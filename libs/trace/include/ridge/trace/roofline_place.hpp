// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/trace/op_model.hpp>

namespace ridge::trace {

// The peak rates of a device, as the caller knows them from a datasheet or a measurement. 0: not known.
struct device_peaks {
  std::string name{};    // "H100 SXM"
  std::string source{};  // "datasheet", "measured 2026-11-21", "--peaks"
  double bytes_per_s = 0;
  std::array<double, number_type_count> vector_flop_per_s{};  // by number_type
  std::array<double, number_type_count> matrix_flop_per_s{};  // dense
  int sms = 0;                                                // multiprocessors; 0: as the trace records
  double clock_hz = 0;                                        // highest clock of the multiprocessors
  double launch_s = 5e-6;  // a kernel whose roof is shorter is bound by latency, not by the roof

  // Returns the peak in FLOP/s: that of the matrix units for matrix work where it is known, else that of the
  // vector lanes.
  [[nodiscard]] double flop_per_s(number_type t, bool matrix) const;
};

// Which roof bounds a call.
enum class roof_bound : std::uint8_t { unknown, memory, compute };
// Returns the bound's name, as reports print it.
[[nodiscard]] std::string_view name(roof_bound b);

// One call, or several equal ones, on the roofline (Williams, Waterman and Patterson, CACM 52, 2009).
struct roofline_place {
  roof_bound bound = roof_bound::unknown;
  double compute_s = 0;                    // flops / peak; 0: nothing to compute, or the peak is not known
  double memory_s = 0;                     // bytes / bandwidth
  double roof_s = 0;                       // the larger one: the least time that the call can take
  double share = 0;                        // roof_s / measured time
  double flop_per_s = 0, bytes_per_s = 0;  // rates reached
  double compute_share = 0, memory_share = 0;  // shares of the peak and of the bandwidth
  // share > 1.05 (rule T8): a peak or the bytes are wrong, or data stayed in a cache. Such a call is never
  // reported as excellent.
  bool anomaly = false;
};

// Places a call of `measured_ns` on the roofline; nullopt where no time was measured or neither peak that the
// model needs is known.
[[nodiscard]] std::optional<roofline_place> place(const op_model& model, nanoseconds measured_ns,
                                                  const device_peaks& peaks);

}  // namespace ridge::trace
