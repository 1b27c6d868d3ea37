// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace_builder.hpp>
#include <ridge/trace/wire_message.hpp>

#include "xplane_messages.hpp"
#include "xplane_stats.hpp"

namespace ridge::backends::trace_xplane {

// One event of a line with its times and what its stats say.
struct timed_event {
  trace::nanoseconds start_ns = 0;
  trace::nanoseconds end_ns = 0;
  std::string_view name{};
  std::uint64_t offset = 0;
  event_stats stats{};
};

// The state of reading one XSpace.
class xplane_reading {
 public:
  xplane_reading(std::string_view content, const trace::read_limits& limits)
      : content_(content), memory_bytes_(limits.memory_bytes) {}

  trace::trace_builder builder{};
  const std::uint32_t process =
      builder.process(1);  // an XSpace is of one process, whose number it does not tell
  bool has_steps = false;  // a thread marked steps
  // Where lines start first, and the start of the profile in Unix time that lines may count from.
  trace::nanoseconds first_ns = trace::most_nanoseconds, profile_start_ns = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<trace::nanoseconds, trace::track_id>>
      producers{};  // by type and id

  // Calls `take` with each event of a line that has a time. Events that have none, or times that cannot be,
  // are counted.
  template <class Take>
  void each_event(const line& l, const plane& p, stat_reader& stats, Take take) {
    if (!l.events.empty()) first_ns = std::min(first_ns, l.start_ns);
    for (const auto message : l.events) {
      if (is_full()) return;
      if (const auto e = timed(message, l, p, stats)) take(*e);
    }
    if (l.damaged) note_damage(l.name, l.events.empty() ? content_ : l.events.back());
  }

  // Returns an event's row, without its category.
  [[nodiscard]] trace::event_row row_of(const timed_event& e, trace::track_id track);
  // Returns the track of a line and gives it the line's name.
  [[nodiscard]] trace::track_id track_of(trace::track_kind kind, std::int64_t id, std::string_view name,
                                         std::int32_t device = -1);
  // Counts a plane or line that is damaged; `last` is its last whole part.
  void note_damage(std::string_view name, std::string_view last);
  void note(trace::flaw kind, std::uint64_t offset, std::string_view text) {
    builder.facts().quality.add(kind, offset, text);
  }
  // Returns the Unix time of the trace's zero: lines count from the start of the profile, or are in Unix time
  // themselves, which reads as not known.
  [[nodiscard]] trace::nanoseconds trace_zero() const {
    return first_ns < profile_start_ns ? profile_start_ns : 0;
  }
  [[nodiscard]] std::uint64_t offset_of(std::string_view part) const {
    return static_cast<std::uint64_t>(part.data() - content_.data());
  }

 private:
  [[nodiscard]] std::optional<timed_event> timed(std::string_view message, const line& l, const plane& p,
                                                 stat_reader& stats);
  [[nodiscard]] trace::name_id name_of(std::string_view text);
  [[nodiscard]] bool is_full();

  std::string_view content_;
  std::uint64_t memory_bytes_;
  std::unordered_map<const char*, trace::name_id> names_{};
  std::uint64_t events_ = 0;
  bool full_ = false;
};

// Returns the number behind a prefix; nullopt where the text is not both, and nothing else.
[[nodiscard]] std::optional<std::int32_t> number_behind(std::string_view text, std::string_view prefix);

// Each adds the lines of one plane.
void read_gpu(xplane_reading& reading, const plane& p, std::int32_t device);
void read_tpu(xplane_reading& reading, const plane& p, std::int32_t device);
void read_host(xplane_reading& reading, const plane& p);
// Adds what a device's plane says about the device.
void read_device_facts(xplane_reading& reading, const plane& p, std::int32_t device);
// Takes the start of the profile from the plane that tells it; trace_zero() is known once all lines are read.
void read_start_time(xplane_reading& reading, const plane& p);

}  // namespace ridge::backends::trace_xplane
