// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/plan/kernels/kernel_measurements.hpp>

#include "as_real.hpp"

namespace ridge::plan::kernels {

result<accelerator> measured_host(const kernel_measurements& m, double memory_bytes) {
  constexpr double large_bytes = 8 * 1024 * 1024;  // beyond what starting the threads costs
  accelerator host{.name = m.gpu, .generation = std::string(cpu_generation), .memory_bytes = memory_bytes};
  double flop_per_s = 0;
  for (const auto& row : m.rows) {
    const auto& c = row.call;
    if (c.kernel == "product")
      flop_per_s = std::max(
          flop_per_s, 2 * as_real(c.size("m")) * as_real(c.size("n")) * as_real(c.size("k")) / row.seconds);
    if (c.kernel == "elementwise" && as_real(c.size("bytes")) >= large_bytes)
      host.bandwidth_bytes_per_s =
          std::max(host.bandwidth_bytes_per_s, as_real(c.size("bytes")) / row.seconds);
  }
  const auto* lacking = !(flop_per_s > 0)                   ? "products"
                        : !(host.bandwidth_bytes_per_s > 0) ? "elementwise traffic"
                                                            : nullptr;
  if (lacking != nullptr)
    return error{fmt::format("the limits of {} are not known yet: no {} of it {} measured", m.gpu, lacking,
                             flop_per_s > 0 ? "is" : "are"),
                 "measure product and elementwise both, for more --minutes"};
  host.peaks = {{"fp32", flop_per_s}};
  host.scale_up_size = 1;
  host.source = fmt::format("{}: measured here on {}", m.gpu, m.date);
  return host;
}

}  // namespace ridge::plan::kernels
