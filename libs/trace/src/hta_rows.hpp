// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

// What HTA takes as one row of device work. Its times are HTA's: an event shorter than a microsecond may end
// before it starts once both are rounded.
struct hta_row {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  name_id name = 0;
  std::int32_t stream = 0;
  std::uint32_t correlation = 0;
  float gb_per_s = 0;
  hta_kernel_type type = hta_kernel_type::computation;
  bool is_work = true;  // false: a synchronization or an operator that names a stream
  work_id work = none;

  [[nodiscard]] nanoseconds length_ns() const { return end_ns - start_ns; }
};

// A host event that device work is joined with, by correlation.
struct hta_call {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  name_id name = 0;
  std::uint32_t correlation = 0;
};

struct hta_rows {
  std::vector<hta_row> device{};  // by start, then as in trace::works
  std::vector<hta_call> calls{};  // by correlation, then start
  bool filtered = false;          // two or more ProfilerSteps: what follows the last one's start is left out
  std::uint64_t without_launch = 0;  // works left out because nothing in the trace launched them
  std::uint64_t of_last_step = 0;    // works left out because they were launched from the last step on

  [[nodiscard]] std::span<const hta_call> calls_of(std::uint32_t correlation) const;
};

// The times that HTA works with: decimal microseconds read as double, the end added as double, and with
// rounding the start taken up and the end down to whole microseconds.
[[nodiscard]] time_range hta_times(nanoseconds start_ns, nanoseconds duration_ns, const hta_options& options);

[[nodiscard]] hta_rows hta_rows_of(const trace& t, const hta_options& options);

}  // namespace ridge::trace
