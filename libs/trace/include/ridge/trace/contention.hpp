// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// A compute kernel that ran both beside communication and alone (rule N6). Runs that communication covers for
// at least half count as beside it, runs without any as alone, the others not at all.
struct contended_kernel {
  name_id name = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint64_t beside = 0, alone = 0;  // runs
  nanoseconds beside_total_ns = 0;
  nanoseconds beside_median_ns = 0;  // lower medians; same name and launch shape
  nanoseconds alone_median_ns = 0;
  nanoseconds excess_ns = 0;  // sum over its runs beside of (duration - alone_median)
};

struct contention_report {
  std::vector<contended_kernel> kernels{};  // largest excess first; at least `least_runs` of each sort
  nanoseconds beside_ns = 0;                // of all kernels told here, under communication
  nanoseconds expected_ns = 0;              // what those runs would have taken alone
  // beside / expected; nullopt: no kernel ran enough both ways
  [[nodiscard]] std::optional<double> slowdown() const;
};

// Of one device; `classes` is one for each of trace::works.
[[nodiscard]] contention_report contention_of(const trace& t, std::int32_t device,
                                              std::span<const work_class> classes,
                                              std::uint64_t least_runs = 3);

}  // namespace ridge::trace
