// SPDX-License-Identifier: Apache-2.0
#include "perfetto_original.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "json_string.hpp"
#include "original_document.hpp"
#include "overflow_lanes.hpp"

namespace ridge::trace_report {
namespace {

using trace::event_id;
using trace::nanoseconds;

constexpr std::uint64_t first_lane_thread = 1'500'000'000;

// Times beyond what 64 bits hold become the last that they hold.
nanoseconds rounded(double nanosecond_time) {
  constexpr double most = 9e18;
  return static_cast<nanoseconds>(std::llround(std::clamp(nanosecond_time, -most, most)));
}

// Exactly for decimals of up to nine places, which is all that writers of traces use; else as a double.
nanoseconds time_of(std::string_view text) {
  const auto quoted = text.starts_with('"');
  if (quoted) text = text.substr(1, text.size() - 2);
  const bool negative = text.starts_with('-');
  nanoseconds whole = 0, scale = 1000;
  bool fraction = false;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c < '0' || c > '9' || whole > (nanoseconds{1} << 52)) {
      return rounded(std::strtod(std::string(text).c_str(), nullptr) * 1000);
    } else if (!fraction) {
      whole = whole * 10 + (c - '0');
    } else if (scale > 1) {
      whole = whole * 10 + (c - '0');
      scale /= 10;
    }
  }
  constexpr auto most = std::numeric_limits<nanoseconds>::max();
  if (whole > most / scale) return negative ? -most : most;
  return (negative ? -whole : whole) * scale;
}

bool is_same_clock(const trace::clock_map& clock) { return clock.offset_ns == 0 && clock.drift_ppb == 0; }

// "7" of trace 2 becomes "2:7".
std::string id_of(std::uint32_t index, std::string_view told) {
  const auto inner = told.starts_with('"') ? told.substr(1, told.size() - 2) : told;
  return fmt::format("\"{}:{}\"", index, inner);
}

}  // namespace

std::unique_ptr<trace::byte_source> original_of(const trace::trace& t) {
  std::error_code none;
  const bool can_be_read_again = std::filesystem::is_regular_file(t.source.path, none);
  if (t.source.format != "chrome_json" || !can_be_read_again) return nullptr;
  auto opened = trace::open_member({.path = t.source.path,
                                    .member = t.source.member,
                                    .container = t.source.container,
                                    .file_bytes = t.source.file_bytes});
  return opened ? std::move(*opened) : nullptr;
}

std::string_view perfetto_processes::of(std::uint32_t index, std::string_view told) {
  auto& given = given_[index];
  if (const auto at = given.find(told); at != given.end()) return at->second;
  const auto [owner, is_free] = owner_.try_emplace(std::string(told), index);
  auto number = is_free ? std::string(told) : std::to_string(next_++);
  return given.emplace(std::string(told), std::move(number)).first->second;
}

const std::map<std::string, std::string, std::less<>>& perfetto_processes::in(std::uint32_t index) const {
  static const std::map<std::string, std::string, std::less<>> none;
  const auto at = given_.find(index);
  return at == given_.end() ? none : at->second;
}

perfetto_original::perfetto_original(const placed_trace& placed, std::uint32_t index,
                                     perfetto_processes& processes, perfetto_text& text,
                                     perfetto_counts& counts)
    : placed_(placed), index_(index), processes_(processes), text_(text), counts_(counts) {
  const auto& quality = placed.source->quality;
  mends_ = quality.count(trace::flaw::control_character) + quality.count(trace::flaw::non_finite_number) > 0;
  find_moved();
}

// What Perfetto shows on one row: all events with one process and thread number, whatever they are.
void perfetto_original::find_moved() {
  const auto& t = *placed_.source;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<trace::track_id>> rows;
  for (trace::track_id track = 0; track < t.tracks.size(); ++track) {
    if (t.tracks[track].kind != trace::track_kind::counter)
      rows[{t.processes[t.tracks[track].process].id, t.tracks[track].thread}].push_back(track);
  }
  for (const auto& [row, tracks] : rows) {
    std::vector<event_id> ordered;
    std::string name;
    for (const auto track : tracks) {
      const auto& of = t.tracks[track];
      if (name.empty()) name = of.name.empty() ? fmt::format("thread {}", of.thread) : of.name;
      for (auto e = of.first; e < of.first + of.count; ++e) {
        if ((t.events.flags[e] & trace::flag_instant) == 0) ordered.push_back(e);
      }
    }
    if (tracks.size() > 1)
      std::ranges::stable_sort(
          ordered, {}, [&](event_id e) { return std::pair(t.events.start_ns[e], -t.events.duration_ns[e]); });
    find_moved(row.first, ordered, name);
  }
  std::ranges::sort(moved_, {}, &moved_event::offset);
}

void perfetto_original::find_moved(std::int64_t process, const std::vector<event_id>& ordered,
                                   const std::string& name) {
  const auto& events = placed_.source->events;
  const auto first = first_lane_thread + lanes_.size();
  overflow_lanes places;
  for (const auto e : ordered) {
    const auto at = places.place(events.start_ns[e], events.end_ns(e));
    if (at > 0) moved_.push_back({events.offset[e], first + at - 1});
  }
  for (std::uint32_t i = 1; i < places.lanes(); ++i)
    lanes_.push_back(
        {.process = process, .thread = first + i - 1, .name = fmt::format("{} (overlap {})", name, i)});
}

void perfetto_original::write(trace::byte_source& source, std::string& members) {
  original_document(source).read(
      {.member =
           [&](std::string_view key, std::string_view value) {
             members += members.empty() ? "" : ",\n";
             members += key;
             members += ':';
             members += mends_ ? mended_json(value) : value;
           },
       .event = [&](const raw_event& e, std::uint64_t offset) { event(e, offset); }});
  describe_lanes();
  if (!placed_.label.empty()) label_processes();
}

void perfetto_original::event(const raw_event& e, std::uint64_t offset) {
  changes_.clear();
  if (e.process.told()) {
    const auto number = processes_.of(index_, e.process.text());
    if (number != e.process.text()) changes_.push_back({e.process, std::string(number)});
  }
  while (next_moved_ < moved_.size() && moved_[next_moved_].offset < offset) ++next_moved_;
  const bool is_moved = next_moved_ < moved_.size() && moved_[next_moved_].offset == offset;
  if (is_moved && e.thread.told() && e.phase_letter() == 'X') {
    const auto thread = moved_[next_moved_].thread;
    changes_.push_back({e.thread, std::to_string(thread)});
    if (e.process.told()) lanes_[thread - first_lane_thread].told = e.process.text();
    ++counts_.moved;
  }
  if (e.start.told() && !is_same_clock(placed_.clock)) change_time(e);
  if (index_ > 0) change_ids(e);
  count(e);
  std::ranges::sort(changes_, {}, [](const change& c) { return c.piece.begin; });
  std::string changed;
  const char* from = e.whole.begin;
  for (const auto& c : changes_) {
    changed.append(from, c.piece.begin);
    changed += c.text;
    from = c.piece.end;
  }
  text_.next();
  if (changes_.empty() && !mends_) return text_.add(e.whole.text());
  changed.append(from, e.whole.end);
  text_.add(mends_ ? mended_json(changed) : changed);
}

void perfetto_original::change_time(const raw_event& e) {
  const auto first = *e.start.begin;
  if (first != '"' && first != '-' && (first < '0' || first > '9')) return;
  changes_.push_back(
      {e.start, perfetto_text::microseconds(placed_.clock.to_common(time_of(e.start.text())))});
}

void perfetto_original::change_ids(const raw_event& e) {
  for (const auto& id : {e.id, e.bind_id}) {
    const bool is_scalar = id.told() && *id.begin != '{' && *id.begin != '[';
    if (is_scalar) changes_.push_back({id, id_of(index_, id.text())});
  }
}

void perfetto_original::count(const raw_event& e) {
  const auto phase = e.phase_letter();
  if (phase == 'C') ++counts_.values;
  if (phase == 's') ++counts_.arrows;
  if (phase == 'X' || phase == 'B' || phase == 'i' || phase == 'I') ++counts_.events;
  ++counts_.original;
}

void perfetto_original::describe_lanes() {
  for (const auto& l : lanes_) {
    text_.next();
    text_.put("{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":",
              processes_.of(index_, l.told.empty() ? std::to_string(l.process) : l.told), l.thread);
    append_json_text(text_.text(), l.name);
    text_.add("}}");
  }
}

void perfetto_original::label_processes() {
  for (const auto& [told, number] : processes_.in(index_)) {
    text_.next();
    text_.put("{{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":{},\"args\":{{\"labels\":", number);
    append_json_text(text_.text(), placed_.label);
    text_.add("}}");
  }
}

}  // namespace ridge::trace_report
