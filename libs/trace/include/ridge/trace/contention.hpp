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
  std::uint64_t beside = 0, alone = 0;  // numbers of runs
  nanoseconds beside_total_ns = 0;
  nanoseconds beside_median_ns = 0;  // lower medians; same name and launch shape
  nanoseconds alone_median_ns = 0;
  nanoseconds excess_ns = 0;  // sum over its runs beside of (duration - alone_median)
};

struct contention_report {
  std::vector<contended_kernel> kernels{};  // largest excess first; at least `least_runs` of each sort
  nanoseconds beside_ns = 0;                // time of all kernels listed here, under communication
  nanoseconds expected_ns = 0;              // what those runs would have taken alone
  // Returns beside_ns / expected_ns; nullopt where no kernel ran often enough both ways.
  [[nodiscard]] std::optional<double> slowdown() const;
};

// Returns how communication slowed the compute kernels of one device. `classes` holds one class for each of
// trace::works; `least_runs` is the number of runs beside and alone that a kernel needs.
[[nodiscard]] contention_report contention_of(const trace& t, std::int32_t device,
                                              std::span<const work_class> classes,
                                              std::uint64_t least_runs = 3);

}  // namespace ridge::trace
