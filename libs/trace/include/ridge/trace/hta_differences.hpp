// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// One reason why a figure of HTA differs from the exact one. Causes stand in the order in which they are
// removed, and their nanoseconds add up to the difference.
struct hta_cause {
  std::string description{};  // "rounding shrinks 20123 works by up to 2 us"
  nanoseconds adds_ns = 0;    // what it adds to the exact figure
};
// One figure, as it is exactly and as HTA gives it.
struct hta_difference {
  std::string figure{};  // "idle", "compute", "window"
  nanoseconds exact_ns = 0;
  nanoseconds hta_ns = 0;
  std::vector<hta_cause> causes{};  // empty for equal figures
};

// Compares HTA's window, idle, compute and non_compute with the exact partition of the works of all devices,
// taken as one device, as HTA takes them.
[[nodiscard]] std::vector<hta_difference> hta_differences(const trace& t, std::span<const work_class> classes,
                                                          const hta_options& options = {});

}  // namespace ridge::trace
