// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

// The row of one name: sum, extremes, mean and deviation of its times.
[[nodiscard]] hta_kernel_time hta_kernel_time_of(std::string name, hta_kernel_type type,
                                                 const std::vector<double>& times);

// Which names are shown, once there are more than `names`: see hta_kernel_time. One that holds any of
// `kept_parts` always is.
struct hta_folding {
  std::size_t names = 10;
  double sums = 0.8;
  std::span<const std::string> kept_parts{};
};

// Returns the rows as HTA shows them, by name.
[[nodiscard]] std::vector<hta_kernel_time> hta_folded(std::vector<hta_kernel_time> kernels,
                                                      const hta_folding& folding);

}  // namespace ridge::trace
