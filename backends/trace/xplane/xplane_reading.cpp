// SPDX-License-Identifier: Apache-2.0
#include "xplane_reading.hpp"

#include <charconv>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace ridge::backends::trace_xplane {
namespace {

// Whole nanoseconds below a time in picoseconds, so that what follows without a gap still does.
std::int64_t whole_ns(std::int64_t picoseconds) {
  return picoseconds / 1000 - (picoseconds % 1000 < 0 ? 1 : 0);
}

bool sums_up(std::int64_t a, std::int64_t b) {
  return b >= 0 && a <= std::numeric_limits<std::int64_t>::max() - b;
}

}  // namespace

std::optional<std::int32_t> number_behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  std::int32_t n = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc{} || end != text.data() + text.size() || n < 0) return std::nullopt;
  return n;
}

std::optional<timed_event> xplane_reading::timed(std::string_view message, const line& l, const plane& p,
                                                 stat_reader& stats) {
  timed_event e{.offset = offset_of(message)};
  std::uint64_t kind = 0;
  trace::wire_message head(message);  // an event begins with its kind, whose stats come before its own
  if (trace::wire_field f; head.next(f) && f.number == 1) kind = f.value;
  e.stats = stats.of_kind(static_cast<std::int64_t>(kind));
  const auto raw = read_event(message, [&](std::string_view stat) { stats.read(stat, e.stats); });
  if (raw.aggregated) return std::nullopt;
  const bool summed = sums_up(raw.offset_ps, raw.duration_ps);
  if (raw.damaged || !trace::is_a_time(l.start_ns) || !summed) {
    note(raw.duration_ps < 0 && !raw.damaged ? trace::flaw::negative_duration : trace::flaw::unreadable_event,
         e.offset, fmt::format("an event of line {}", l.name));
    return std::nullopt;
  }
  e.start_ns = l.start_ns + whole_ns(raw.offset_ps);
  e.end_ns = l.start_ns + whole_ns(raw.offset_ps + raw.duration_ps);
  const auto at = p.kinds.find(raw.kind);
  if (at != p.kinds.end()) e.name = at->second.name.empty() ? at->second.display_name : at->second.name;
  return e;
}

trace::event_row xplane_reading::row_of(const timed_event& e, trace::track_id track) {
  return {.start_ns = e.start_ns,
          .duration_ns = e.end_ns - e.start_ns,
          .offset = e.offset,
          .name = name_of(e.name),
          .track = track,
          .correlation = e.stats.correlation};
}

// Texts of the content stay where they are, so that their place tells them.
trace::name_id xplane_reading::name_of(std::string_view text) {
  const bool of_content = std::greater_equal<>()(text.data(), content_.data()) &&
                          std::less<>()(text.data(), content_.data() + content_.size());
  if (!of_content) return builder.intern(text);
  const auto [known, fresh] = names_.try_emplace(text.data());
  if (fresh) known->second = builder.intern(text);
  return known->second;
}

trace::track_id xplane_reading::track_of(trace::track_kind kind, std::int64_t id, std::string_view name,
                                         std::int32_t device) {
  const auto track = builder.track_of(kind, process, id, device);
  builder.facts().tracks[track].name = name;
  return track;
}

void xplane_reading::note_damage(std::string_view name, std::string_view last) {
  note(trace::flaw::truncated, offset_of(last) + last.size(), fmt::format("{} is cut off or damaged", name));
}

bool xplane_reading::is_full() {
  constexpr std::uint64_t checked_every = 4096;
  if (!full_ && events_++ % checked_every == 0 && content_.size() + builder.memory_bytes() > memory_bytes_) {
    full_ = true;
    note(trace::flaw::over_limit, 0, "its last events would need more memory than allowed");
  }
  return full_;
}

}  // namespace ridge::backends::trace_xplane
