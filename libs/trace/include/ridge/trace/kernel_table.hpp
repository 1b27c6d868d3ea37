// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// All device work of one name (and one shape, where asked) on one device. Times are sums of durations, not
// unions: two kernels side by side count twice.
struct kernel_row {
  name_id name = 0;
  std::int32_t device = 0;
  work_class purpose = work_class::compute;
  category kind = category::kernel;
  std::array<std::uint32_t, 3> grid{}, block{};  // of its first work (of all, in rows by shape)
  std::uint32_t shapes = 0;                      // different (grid, block) in this row

  std::uint64_t count = 0;
  nanoseconds total_ns = 0;
  nanoseconds min_ns = 0, p50_ns = 0, p99_ns = 0, max_ns = 0;  // nearest rank: one that occurred
  double mean_ns = 0;
  double stddev_ns = 0;              // of a sample (n - 1); 0 for one
  double share_of_work = 0;          // of the durations of all device work on its device, 0..1
  double share_of_window = 0;        // of the window; above 1 where it runs side by side with itself
  std::optional<double> per_step{};  // count / steps
  std::int64_t bytes = 0;            // of copies and fills, summed
  std::uint16_t registers = 0;       // a thread, most of any
  std::uint32_t shared_bytes = 0;    // a block, most of any
  std::optional<float> occupancy{};  // estimated by the profiler, mean weighted by time, 0..1
  work_id longest = none;            // into trace::works

  [[nodiscard]] double cov() const { return mean_ns > 0 ? stddev_ns / mean_ns : 0; }
};

struct kernel_table_options {
  bool by_shape = false;               // a row per (name, grid, block)
  std::optional<time_range> window{};  // work that starts in it, with its whole duration; empty: all
  std::size_t steps = 0;               // in the window; 0: not known
};

// Ordered by total, longest first; ties by name then device. `classes` as classes_of gives them.
[[nodiscard]] std::vector<kernel_row> kernel_table(const trace& t, std::span<const work_class> classes,
                                                   const kernel_table_options& options = {});

}  // namespace ridge::trace
