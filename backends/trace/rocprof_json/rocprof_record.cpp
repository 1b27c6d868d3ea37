// SPDX-License-Identifier: Apache-2.0
#include "rocprof_record.hpp"

#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace ridge::backends::trace_rocprof_json {
namespace {

// The objects whose members count; each names a place in the document.
enum class object : std::uint8_t {
  record,
  correlation,
  dispatch,
  stream,
  queue,
  agent,
  source_agent,
  destination_agent,
  workgroup,
  grid,
  none
};

object object_at(object outer, std::string_view key) {
  if (outer == object::record) {
    if (key == "\"dispatch_info\"") return object::dispatch;
    if (key == "\"correlation_id\"") return object::correlation;
    if (key == "\"src_agent_id\"") return object::source_agent;
    if (key == "\"dst_agent_id\"") return object::destination_agent;
  }
  if (outer == object::dispatch) {
    if (key == "\"agent_id\"") return object::agent;
    if (key == "\"workgroup_size\"") return object::workgroup;
    if (key == "\"grid_size\"") return object::grid;
  }
  if (key == "\"stream_id\"" && outer == object::record) return object::stream;
  const bool has_queue = outer == object::record || outer == object::dispatch;
  return key == "\"queue_id\"" && has_queue ? object::queue : object::none;
}

std::int64_t* number_of_record(rocprof_record& r, std::string_view key) {
  if (key == "\"start_timestamp\"") return &r.start;
  if (key == "\"end_timestamp\"") return &r.end;
  if (key == "\"thread_id\"") return &r.thread;
  if (key == "\"operation\"") return &r.operation;
  if (key == "\"kind\"") return &r.kind;
  return key == "\"bytes\"" ? &r.bytes : nullptr;
}

std::int64_t* number_of_dispatch(rocprof_record& r, std::string_view key) {
  if (key == "\"kernel_id\"") return &r.kernel;
  if (key == "\"group_segment_size\"") return &r.group_segment;
  return key == "\"private_segment_size\"" ? &r.private_segment : nullptr;
}

std::int64_t* side_of(std::array<std::int64_t, 3>& sides, std::string_view key) {
  const bool is_axis = key.size() == 3 && key[1] >= 'x' && key[1] <= 'z';
  return is_axis ? &sides[static_cast<std::size_t>(key[1] - 'x')] : nullptr;
}

std::int64_t* handle_of(rocprof_record& r, object inside) {
  switch (inside) {
    case object::stream:
      return &r.stream;
    case object::queue:
      return &r.queue;
    case object::agent:
      return &r.agent;
    case object::source_agent:
      return &r.source_agent;
    case object::destination_agent:
      return &r.destination_agent;
    default:
      return nullptr;
  }
}

std::int64_t* number_at(rocprof_record& r, object inside, std::string_view key) {
  switch (inside) {
    case object::record:
      return number_of_record(r, key);
    case object::dispatch:
      return number_of_dispatch(r, key);
    case object::correlation:
      return key == "\"internal\"" ? &r.correlation : nullptr;
    case object::workgroup:
      return side_of(r.workgroup, key);
    case object::grid:
      return side_of(r.grid, key);
    default:
      return key == "\"handle\"" ? handle_of(r, inside) : nullptr;
  }
}

// Keys are short, so that a loop is faster than a search.
const char* past_short_key(trace::json_walk& walk, const char* position, trace::json_piece& key) {
  constexpr std::ptrdiff_t longest = 64;
  if (*position == '"' && walk.end - position > longest) {
    const auto* at = position + 1;
    while (*at != '"' && *at != '\\' && at - position < longest - 2) ++at;
    if (*at == '"' && at[1] == ':') {
      key = {position, at + 1};
      return walk.past_space(at + 2);
    }
  }
  return walk.past_key(position, key);
}

// Recursion is bounded: object_at() knows no object inside a queue, an agent or a size.
const char* read_object(trace::json_walk& walk, const char* position, object inside, rocprof_record& record) {
  trace::json_piece key;
  for (++position; walk.next(position, '}');) {
    const auto* value = past_short_key(walk, position, key);
    if (value == nullptr) return nullptr;
    if (value < walk.end && *value == '{') {
      const auto inner = object_at(inside, key.text());
      position = inner == object::none ? walk.past_value(value) : read_object(walk, value, inner, record);
    } else {
      position = walk.past_value(value);
      auto* const number = position == nullptr ? nullptr : number_at(record, inside, key.text());
      std::int64_t told = 0;
      if (number != nullptr) {
        const auto [behind, failed] = std::from_chars(value, position, told);
        if (failed == std::errc{} && behind == position) *number = told;
      }
    }
    if (position == nullptr) return nullptr;
  }
  return position;
}

}  // namespace

const char* read_record(trace::json_walk& walk, const char* position, rocprof_record& record) {
  record = {};
  return read_object(walk, position, object::record, record);
}

}  // namespace ridge::backends::trace_rocprof_json
