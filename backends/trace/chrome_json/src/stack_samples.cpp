// SPDX-License-Identifier: Apache-2.0
#include "stack_samples.hpp"

#include <algorithm>
#include <optional>
#include <ranges>

#include "number.hpp"
#include "unescape.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

// Reads a text, or a number as its text.
const char* read_sample_id(const char* position, json_text& text, token& value) {
  if (*position == '"') return read_text(position + 1, text, value);
  const auto* end = skip_value(position, text);
  if (end != nullptr && *position != 'n' && *position != '{' && *position != '[')
    value = {position, end, true};
  return end;
}

// Calls `take` for each member of an object; it returns the position behind the value, or nullptr to stop.
template <class Take>
const char* each_member(const char* position, json_text& text, Take take) {
  if (*position != '{') return skip_value(position, text);
  ++position;
  for (token key;;) {
    text.stopped = nullptr;
    const auto* value = read_key(position, text, key);
    if (value == nullptr) return text.stopped == nullptr ? key.begin + 1 : nullptr;
    position = take(key, value);
    if (position == nullptr) return nullptr;
  }
}

}  // namespace

bool stack_samples::take(std::string_view key, const char* value, json_text& text) {
  if (key == "stackFrames") return take_frames(value, text), true;
  if (key == "samples") return take_samples(value, text), true;
  return false;
}

void stack_samples::take_frames(const char* position, json_text& text) {
  static_cast<void>(each_member(position, text, [&](const token& id, const char* value) {
    return take_frame(value, text, row_of(id));
  }));
}

const char* stack_samples::take_frame(const char* position, json_text& text, std::uint32_t row) {
  token function, module, caller;
  const auto* behind = each_member(position, text, [&](const token& key, const char* value) {
    if (key.text() == "name") return read_sample_id(value, text, function);
    if (key.text() == "category") return read_sample_id(value, text, module);
    return key.text() == "parent" ? read_sample_id(value, text, caller) : skip_value(value, text);
  });
  const auto calls = caller.told() ? row_of(caller) : trace::none;
  frames_[row] = {.function = intern(function), .module = intern(module), .caller = calls, .told = true};
  return behind;
}

void stack_samples::take_samples(const char* position, json_text& text) {
  if (*position != '[') return;
  ++position;
  while (position != nullptr) {
    while (is_space(*position) || *position == ',') ++position;
    if (*position == ']' || position >= text.end) return;
    position = take_sample(position, text);
  }
}

const char* stack_samples::take_sample(const char* position, json_text& text) {
  std::optional<std::int64_t> time_ns, process, thread, weight;
  token stack;
  const auto* behind = each_member(position, text, [&](const token& key, const char* value) {
    if (key.text() == "ts") return read_time(value, text, time_ns);
    if (key.text() == "pid") return read_integer(value, text, process);
    if (key.text() == "tid") return read_integer(value, text, thread);
    if (key.text() == "weight") return read_integer(value, text, weight);
    return key.text() == "sf" ? read_sample_id(value, text, stack) : skip_value(value, text);
  });
  if (behind == nullptr || !time_ns) return behind;
  samples_.push_back({.time_ns = *time_ns,
                      .weight = std::max<std::int64_t>(weight.value_or(1), 0),
                      .process = process.value_or(0),
                      .thread = thread.value_or(0),
                      .frame = stack.told() ? row_of(stack) : trace::none});
  return behind;
}

trace::name_id stack_samples::intern(const token& raw) {
  return raw.told() ? builder_.intern(unescape(raw.text()).text) : 0;
}

std::uint32_t stack_samples::row_of(const token& id) {
  const auto [at, fresh] =
      rows_.try_emplace(std::string(id.text()), static_cast<std::uint32_t>(frames_.size()));
  if (fresh) frames_.emplace_back();
  return at->second;
}

// Callers may follow what they call in the file. A cycle, which only damage causes, ends where it closes.
std::uint32_t stack_samples::made_frame(std::uint32_t row) {
  std::vector<std::uint32_t> way;
  for (; row != trace::none && frames_[row].told && !frames_[row].entered; row = frames_[row].caller) {
    frames_[row].entered = true;
    way.push_back(row);
  }
  auto caller = row == trace::none ? trace::none : frames_[row].made;
  for (const auto at : way | std::views::reverse) {
    auto& f = frames_[at];
    caller = f.made = builder_.frame(caller, f.function, f.module);
  }
  return caller;
}

void stack_samples::finish() {
  for (const auto& s : samples_) {
    const auto process = builder_.process(s.process);
    builder_.add(
        trace::stack_sample{.time_ns = s.time_ns,
                            .weight = static_cast<std::uint64_t>(s.weight),
                            .stack = s.frame == trace::none ? trace::none : made_frame(s.frame),
                            .track = builder_.track_of(trace::track_kind::thread, process, s.thread)});
  }
}

}  // namespace ridge::backends::trace_chrome_json
