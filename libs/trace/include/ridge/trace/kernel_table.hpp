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

// All device work of one name (and one launch shape, with by_shape) on one device. Times are sums of
// durations, not unions: two concurrent kernels count twice.
struct kernel_row {
  name_id name = 0;
  std::int32_t device = 0;
  work_class purpose = work_class::compute;
  category kind = category::kernel;
  // launch shape of its first work (of all works in rows by shape)
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shapes = 0;  // number of different (grid, block) in this row

  std::uint64_t count = 0;
  nanoseconds total_ns = 0;
  nanoseconds min_ns = 0, p50_ns = 0, p99_ns = 0, max_ns = 0;  // nearest rank: values that occurred
  double mean_ns = 0;
  double stddev_ns = 0;              // sample deviation (n - 1); 0 for a single work
  double share_of_work = 0;          // share of the durations of all device work on its device, 0..1
  double share_of_window = 0;        // share of the window; above 1 where works of the row overlap
  std::optional<double> per_step{};  // count / steps
  std::int64_t bytes = 0;            // sum over copies and fills
  std::uint16_t registers = 0;       // per thread, the largest
  std::uint32_t shared_bytes = 0;    // per block, the largest
  std::optional<float> occupancy{};  // estimated by the profiler, mean weighted by time, 0..1
  work_id longest = none;            // into trace::works

  // Coefficient of variation of the durations; 0 without any time.
  [[nodiscard]] double cov() const { return mean_ns > 0 ? stddev_ns / mean_ns : 0; }
};

// Which works the table counts, and how it groups them.
struct kernel_table_options {
  bool by_shape = false;  // one row per (name, grid, block)
  std::optional<time_range>
      window{};           // counts work that starts in it with its whole duration; empty: all work
  std::size_t steps = 0;  // number of steps in the window; 0: not known
};

// Returns the rows by total time, longest first, ties by name and then device. `classes` holds one class for
// each of t.works, as classes_of() returns them.
[[nodiscard]] std::vector<kernel_row> kernel_table(const trace& t, std::span<const work_class> classes,
                                                   const kernel_table_options& options = {});

}  // namespace ridge::trace
