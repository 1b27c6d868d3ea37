// SPDX-License-Identifier: Apache-2.0
#include "stack_samples.hpp"

#include <algorithm>
#include <optional>
#include <ranges>

#include "number.hpp"
#include "unescape.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

// A text, or a number as its text.
const char* read_sample_id(const char* at, json_text& in, token& into) {
  if (*at == '"') return read_text(at + 1, in, into);
  const auto* end = skip_value(at, in);
  if (end != nullptr && *at != 'n' && *at != '{' && *at != '[') into = {at, end, true};
  return end;
}

// Members of an object, one call each; `take` gives the place behind the value, or nullptr to stop.
template <class Take>
const char* each_member(const char* at, json_text& in, Take take) {
  if (*at != '{') return skip_value(at, in);
  ++at;
  for (token key;;) {
    in.stopped = nullptr;
    const auto* value = read_key(at, in, key);
    if (value == nullptr) return in.stopped == nullptr ? key.begin + 1 : nullptr;
    if ((at = take(key, value)) == nullptr) return nullptr;
  }
}

}  // namespace

bool stack_samples::take(std::string_view key, const char* value, json_text& in) {
  if (key == "stackFrames") return take_frames(value, in), true;
  if (key == "samples") return take_samples(value, in), true;
  return false;
}

void stack_samples::take_frames(const char* at, json_text& in) {
  static_cast<void>(each_member(
      at, in, [&](const token& id, const char* value) { return take_frame(value, in, row_of(id)); }));
}

const char* stack_samples::take_frame(const char* at, json_text& in, std::uint32_t row) {
  token function, module, caller;
  const auto* behind = each_member(at, in, [&](const token& key, const char* value) {
    if (key.text() == "name") return read_sample_id(value, in, function);
    if (key.text() == "category") return read_sample_id(value, in, module);
    return key.text() == "parent" ? read_sample_id(value, in, caller) : skip_value(value, in);
  });
  const auto calls = caller.told() ? row_of(caller) : trace::none;
  frames_[row] = {.function = intern(function), .module = intern(module), .caller = calls, .told = true};
  return behind;
}

void stack_samples::take_samples(const char* at, json_text& in) {
  if (*at != '[') return;
  ++at;
  while (at != nullptr) {
    while (is_space(*at) || *at == ',') ++at;
    if (*at == ']' || at >= in.end) return;
    at = take_sample(at, in);
  }
}

const char* stack_samples::take_sample(const char* at, json_text& in) {
  std::optional<std::int64_t> time_ns, process, thread, weight;
  token stack;
  const auto* behind = each_member(at, in, [&](const token& key, const char* value) {
    if (key.text() == "ts") return read_time(value, in, time_ns);
    if (key.text() == "pid") return read_integer(value, in, process);
    if (key.text() == "tid") return read_integer(value, in, thread);
    if (key.text() == "weight") return read_integer(value, in, weight);
    return key.text() == "sf" ? read_sample_id(value, in, stack) : skip_value(value, in);
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
  return raw.told() ? to_.intern(unescape(raw.text()).text) : 0;
}

std::uint32_t stack_samples::row_of(const token& id) {
  const auto [at, fresh] =
      rows_.try_emplace(std::string(id.text()), static_cast<std::uint32_t>(frames_.size()));
  if (fresh) frames_.emplace_back();
  return at->second;
}

// Callers may stand behind what they call. A circle, which only damage makes, ends where it closes.
std::uint32_t stack_samples::made_frame(std::uint32_t row) {
  std::vector<std::uint32_t> way;
  for (; row != trace::none && frames_[row].told && !frames_[row].entered; row = frames_[row].caller) {
    frames_[row].entered = true;
    way.push_back(row);
  }
  auto caller = row == trace::none ? trace::none : frames_[row].made;
  for (const auto at : way | std::views::reverse) {
    auto& f = frames_[at];
    caller = f.made = to_.frame(caller, f.function, f.module);
  }
  return caller;
}

void stack_samples::finish() {
  for (const auto& s : samples_) {
    const auto process = to_.process(s.process);
    to_.add(trace::stack_sample{.time_ns = s.time_ns,
                                .weight = static_cast<std::uint64_t>(s.weight),
                                .stack = s.frame == trace::none ? trace::none : made_frame(s.frame),
                                .track = to_.track_of(trace::track_kind::thread, process, s.thread)});
  }
}

}  // namespace ridge::backends::trace_chrome_json
