// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What the spans of a built trace show.
struct trace_storage {
  std::vector<nanoseconds> start_ns{}, duration_ns{};
  std::vector<std::uint64_t> offset{};
  std::vector<name_id> name{};
  std::vector<track_id> track{};
  std::vector<std::uint32_t> correlation{}, external{}, detail{};
  std::vector<category> kind{};
  std::vector<std::uint8_t> flags{};
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

  void show_in(trace& t) const;
};

}  // namespace ridge::trace
