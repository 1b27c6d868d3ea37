// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <algorithm>
#include <vector>

#include <ridge/trace/wire_message.hpp>

namespace ridge::backends::trace_pftrace {
namespace {

// One clock's value at a snapshot.
struct reading {
  std::uint32_t clock = 0;
  std::uint64_t value = 0;
  std::uint64_t unit_ns = 1;
  bool counts_on = false;
};

struct snapshot {
  std::vector<reading> readings{};
  std::uint32_t own_clock = 0;
};

reading read_clock(std::string_view message) {
  reading r;
  trace::wire_message fields(message);
  for (trace::wire_field f; fields.next(f);) {
    if (f.number == 1) r.clock = static_cast<std::uint32_t>(f.value);
    if (f.number == 2) r.value = f.value;
    if (f.number == 3) r.counts_on = f.value != 0;
    if (f.number == 4) r.unit_ns = std::clamp<std::uint64_t>(f.value, 1, 1'000'000'000);
  }
  return r;
}

snapshot read_snapshot(std::string_view message) {
  snapshot s;
  trace::wire_message fields(message);
  for (trace::wire_field f; fields.next(f);) {
    if (f.number == 1 && f.type == trace::wire_type::bytes) s.readings.push_back(read_clock(f.bytes));
    if (f.number == 2 && f.type == trace::wire_type::varint)
      s.own_clock = static_cast<std::uint32_t>(f.value);
  }
  return s;
}

// A value in nanoseconds; nullopt where it is no time.
std::optional<trace::nanoseconds> in_ns(std::uint64_t value, std::uint64_t unit_ns) {
  if (value >= static_cast<std::uint64_t>(trace::most_nanoseconds) / unit_ns) return std::nullopt;
  return static_cast<trace::nanoseconds>(value * unit_ns);
}

}  // namespace

clocks::clock_key clocks::key_of(std::uint32_t clock, std::uint32_t sequence) {
  const bool of_sequence = clock >= 64 && clock < 128;
  return {of_sequence ? sequence : 0, clock};
}

void clocks::add_snapshot(std::string_view message, std::uint32_t sequence) {
  const auto s = read_snapshot(message);
  if (!snapped_ && s.own_clock != 0) own_ = s.own_clock;
  snapped_ = true;
  const auto own = std::ranges::find(s.readings, own_, &reading::clock);
  const auto now = own == s.readings.end() ? std::nullopt : in_ns(own->value, own->unit_ns);
  for (const auto& r : s.readings) {
    auto& known = relations_[key_of(r.clock, sequence)];
    known.unit_ns = r.unit_ns;
    known.counts_on = r.counts_on;
    if (now) known.trace_times.insert_or_assign(r.value, now.value_or(0));  // GCC 12 takes *now for unset
  }
}

void clocks::restart(std::string_view message, std::uint32_t sequence) {
  for (const auto& r : read_snapshot(message).readings) {
    if (r.counts_on) relations_[key_of(r.clock, sequence)].last = r.value;
  }
}

std::optional<trace::nanoseconds> clocks::trace_time(std::uint64_t timestamp, std::uint32_t clock,
                                                     std::uint32_t sequence) {
  const auto at = relations_.find(key_of(clock, sequence));
  if (at == relations_.end()) {
    if (snapped_ && clock != own_) return std::nullopt;
    return in_ns(timestamp, 1);  // the trace's own clock, or the only one
  }
  auto& known = at->second;
  if (known.counts_on) timestamp = known.last += timestamp;
  const auto time = in_ns(timestamp, known.unit_ns);
  if (!time || clock == own_) return time;
  if (known.trace_times.empty()) return std::nullopt;
  auto near = known.trace_times.upper_bound(timestamp);
  if (near != known.trace_times.begin()) --near;
  const auto then = in_ns(near->first, known.unit_ns);
  const auto moved = then ? near->second + (*time - *then) : trace::most_nanoseconds;
  return trace::is_a_time(moved) ? std::optional(moved) : std::nullopt;
}

trace::nanoseconds clocks::epoch() const {
  const auto at = relations_.find({0, realtime_clock});
  if (own_ == realtime_clock || at == relations_.end() || at->second.trace_times.empty()) return 0;
  const auto& [unix_time, trace_time] = *at->second.trace_times.begin();
  const auto then = in_ns(unix_time, at->second.unit_ns);
  return then ? *then - trace_time : 0;
}

}  // namespace ridge::backends::trace_pftrace
