// SPDX-License-Identifier: Apache-2.0
#include "rocprof_record.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

namespace ridge::backends::trace_rocprof_json {
namespace {

constexpr std::ptrdiff_t most_digits = 19;

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

std::ptrdiff_t place_in(const rocprof_record& record, const std::int64_t* number) {
  return reinterpret_cast<const char*>(number) - reinterpret_cast<const char*>(&record);
}

// Digits of a number and the position behind them; nullptr where it has none, or more than are sure to fit.
const char* read_digits(const char* position, std::int64_t& number) {
  const bool negative = *position == '-';
  position += negative;
  const auto* const first = position;
  std::uint64_t sum = 0;
  for (; static_cast<unsigned char>(*position - '0') < 10; ++position)
    sum = sum * 10 + static_cast<unsigned char>(*position - '0');
  const auto digits = position - first;
  if (digits == 0 || digits > most_digits || sum > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    return nullptr;
  number = negative ? -static_cast<std::int64_t>(sum) : static_cast<std::int64_t>(sum);
  return position;
}

// Objects that mean nothing are walked too, so that their numbers may differ in records that are alike.
const char* read_object(trace::json_walk& walk, const char* position, object inside, rocprof_record& record,
                        std::vector<record_reader::number>& numbers, int depth = 0) {
  constexpr int deepest = 8;
  trace::json_piece key;
  for (++position; walk.next(position, '}');) {
    const auto* value = past_short_key(walk, position, key);
    if (value == nullptr) return nullptr;
    if (value < walk.end && *value == '{') {
      const auto inner = object_at(inside, key.text());
      position = depth == deepest ? walk.past_value(value)
                                  : read_object(walk, value, inner, record, numbers, depth + 1);
    } else {
      position = walk.past_value(value);
      if (position == nullptr) return nullptr;
      std::int64_t told = 0;
      const auto [behind, failed] = std::from_chars(value, position, told);
      if (failed == std::errc{} && behind == position) {
        auto* const kept = number_at(record, inside, key.text());
        if (kept != nullptr) *kept = told;
        numbers.push_back({value, position, kept == nullptr ? -1 : place_in(record, kept)});
      }
    }
    if (position == nullptr) return nullptr;
  }
  return position;
}

}  // namespace

const char* record_reader::read(trace::json_walk& walk, const char* position, rocprof_record& record) {
  for (const auto& known : forms_) {
    record = {};
    if (const auto* behind = read_alike(known, position, walk.end, record)) return behind;
  }
  record = {};
  numbers_.clear();
  const auto* behind = read_object(walk, position, object::record, record, numbers_);
  if (behind != nullptr) learn(position, behind);
  return behind;
}

// Returns the position behind a record of that form; nullptr where the text is of another, or near its end.
const char* record_reader::read_alike(const form& known, const char* position, const char* end,
                                      rocprof_record& record) {
  if (known.longest == 0 || end - position < static_cast<std::ptrdiff_t>(known.longest)) return nullptr;
  for (const auto& s : known.steps) {
    if (std::memcmp(position, s.before.data(), s.before.size()) != 0) return nullptr;
    std::int64_t number = 0;
    position = read_digits(position + s.before.size(), number);
    if (position == nullptr) return nullptr;
    if (s.kept_at >= 0) std::memcpy(reinterpret_cast<char*>(&record) + s.kept_at, &number, sizeof number);
  }
  if (std::memcmp(position, known.rest.data(), known.rest.size()) != 0) return nullptr;
  return position + known.rest.size();
}

void record_reader::learn(const char* begin, const char* end) {
  form learned{.longest = static_cast<std::size_t>(end - begin)};
  for (const auto& n : numbers_) {
    learned.steps.push_back({{begin, n.begin}, n.kept_at});
    learned.longest += most_digits + 1;
    begin = n.end;
  }
  learned.rest.assign(begin, end);
  forms_[oldest_] = std::move(learned);
  oldest_ ^= 1;
}

}  // namespace ridge::backends::trace_rocprof_json
