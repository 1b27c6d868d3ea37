// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interned.hpp"

namespace ridge::backends::trace_pftrace {

// The value of one argument of an event: a number, a text, or a list as JSON text.
struct argument_value {
  std::optional<double> real{};
  std::optional<std::int64_t> whole{};
  std::string text{};
  std::array<std::uint32_t, 3> sides{};  // of a list of up to three numbers
  bool is_list = false;
};

// What the arguments of an event say that a trace keeps, by the names that PyTorch and rocprofv3 give them.
struct event_arguments {
  std::optional<std::int64_t> correlation{}, external{}, device{}, stream{}, queue{}, context{}, bytes{};
  std::optional<std::int64_t> registers{}, shared_bytes{}, local_bytes{}, graph{}, graph_node{}, sequence{};
  std::optional<std::int64_t> forward_thread{}, items{}, workgroup_items{};
  std::optional<double> occupancy_percent{}, gb_per_s{};
  std::array<std::uint32_t, 3> grid{}, block{};
  std::string dims{}, types{}, strides{}, concrete{}, source_agent{}, target_agent{};
  // A collective, as PyTorch describes it.
  std::string collective{}, dtype{}, group{}, group_description{}, ranks{};
  std::optional<std::int64_t> in_elements{}, out_elements{}, group_size{}, collective_sequence{};
};

// Sets the field that belongs to a name; others are left out.
void set_argument(event_arguments& arguments, std::string_view name, const argument_value& value);
// Adds a DebugAnnotation message.
void read_annotation(event_arguments& arguments, std::string_view message, const interned_data& names);
// Adds an ExtraComputeArg or, with texts only, an ExtraData message of a GpuRenderStageEvent.
void read_compute_argument(event_arguments& arguments, std::string_view message, const interned_data& names);
void read_extra_data(event_arguments& arguments, std::string_view message);

}  // namespace ridge::backends::trace_pftrace
