// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

#include <ridge/trace/trace.hpp>

#include "events/page_allocator.hpp"

namespace ridge::trace {

// The memory that the spans of a built trace refer to.
struct trace_storage {
  column<nanoseconds> start_ns{}, duration_ns{};
  column<std::uint64_t> offset{};
  column<name_id> name{};
  column<track_id> track{};
  column<std::uint32_t> correlation{}, external{}, detail{};
  column<category> kind{};
  column<std::uint8_t> flags{};
  name_interner names{};
  std::vector<device_work> works{};
  std::vector<op_detail> ops{};
  std::vector<sync_detail> syncs{};
  std::vector<collective> collectives{};
  std::vector<memory_event> memory{};
  std::vector<flow> flows{};
  std::vector<counter_value> counter_values{};
  std::vector<stack_sample> samples{};
  std::vector<stack_frame> stacks{};
  std::vector<kernel_metric> kernel_metrics{};

  [[nodiscard]] auto event_columns() {
    return std::tie(start_ns, duration_ns, offset, name, track, correlation, external, detail, kind, flags);
  }
  void show_in(trace& t) const;
};

}  // namespace ridge::trace
