// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

using integer = std::optional<std::int64_t>;
using real = std::optional<double>;

// The members of an event's `args` that a trace keeps. Tokens of lists are their JSON text.
struct event_args {
  integer correlation{}, external{}, device{}, stream{}, context{}, bytes{}, registers{}, shared_bytes{};
  integer local_bytes{}, graph{}, graph_node{};
  integer process{};  // the process that launched the work, where several did
  real blocks_per_sm{}, warps_per_sm{}, occupancy{}, gb_per_s{};
  std::array<std::uint32_t, 3> grid{}, block{};

  integer sequence{}, forward_thread{};
  token input_dims{}, input_types{}, input_strides{}, concrete_inputs{};

  token sync_kind{};
  integer wait_on_stream{}, wait_on_correlation{}, event{};

  token collective{}, dtype{}, group{}, group_description{}, ranks{};
  integer in_elements{}, out_elements{}, group_size{}, collective_sequence{}, source_rank{}, target_rank{};
  bool asynchronous = false;

  integer address{}, total_allocated{}, total_reserved{}, device_type{}, device_id{};

  token name{}, labels{};  // arguments of metadata events
};

// Reads an event's `args`; `position` is behind the opening brace. Unknown members are skipped; a value of
// another type than expected counts as absent.
const char* read_args(const char* position, json_text& text, event_args& arguments);

// One member of a counter's args; only numbers count.
struct counter_arg {
  token key{};
  double value = 0;
};
// Reads the next member whose value is a number; where there is none its key stays empty.
const char* read_counter_arg(const char* position, json_text& text, counter_arg& argument);

}  // namespace ridge::backends::trace_chrome_json
