// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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
  event_id event = none;
};

// What HTA does with a work. Once there are steps, it leaves out work that it cannot join with a call that it
// keeps.
enum class hta_fate : std::uint8_t { kept, without_launch, of_last_step };

struct hta_rows {
  std::vector<hta_row> device{};  // by start, then as in trace::works
  std::vector<hta_call> calls{};  // by correlation, then start
  std::vector<hta_fate> fates{};  // one for each of trace::works
  // The call that HTA gives to works whose own is not in the trace: by a mistake of HTA the first event of
  // the file.
  std::optional<hta_call> first_event{};
  nanoseconds until_ns = std::numeric_limits<nanoseconds>::max();  // host events from here on are left out

  [[nodiscard]] std::span<const hta_call> calls_of(std::uint32_t correlation) const;
};

// Returns the times that HTA works with: decimal microseconds read as double, the end added as double, and
// with rounding the start rounded up and the end down to whole microseconds.
[[nodiscard]] time_range hta_times(nanoseconds start_ns, nanoseconds duration_ns, const hta_options& options);

[[nodiscard]] hta_rows hta_rows_of(const trace& t, const hta_options& options);

}  // namespace ridge::trace
