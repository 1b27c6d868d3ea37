// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// Why one of HTA's figures differs from the exact one, in the order in which the causes are removed. The
// causes' nanoseconds add up to the difference.
struct hta_cause {
  std::string what{};       // "rounding shrinks 20123 works by up to 2 us"
  nanoseconds adds_ns = 0;  // to the exact figure
};
struct hta_difference {
  std::string figure{};  // "idle", "compute", "window"
  nanoseconds exact_ns = 0;
  nanoseconds hta_ns = 0;
  std::vector<hta_cause> causes{};  // none for equal figures
};

// Window, idle, compute and the rest (HTA's non_compute) against the exact partition of all devices' works
// taken as one, as HTA takes them.
[[nodiscard]] std::vector<hta_difference> hta_differences(const trace& t, std::span<const work_class> classes,
                                                          const hta_options& options = {});

}  // namespace ridge::trace
