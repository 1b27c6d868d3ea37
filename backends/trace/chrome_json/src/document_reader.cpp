// SPDX-License-Identifier: Apache-2.0
#include "document_reader.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/usable_processors.hpp>

#include "block_scanners.hpp"
#include "event_start.hpp"
#include "root_fields.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

using trace::flaw;

error no_trace(std::string message) {
  return {std::move(message),
          "give a trace in Chrome JSON: an object with \"traceEvents\", or a list of events"};
}

}  // namespace

unsigned usual_threads() { return std::min(usable_processors(), 4U); }

document_reader::document_reader(trace::byte_source& source, trace::trace_builder& builder,
                                 const trace::read_limits& limits, const read_plan& plan)
    : source_(source),
      builder_(builder),
      limits_(limits),
      plan_(plan),
      window_(source, plan.window_bytes),
      cursor_(window_.begin()),
      writer_(builder),
      samples_(builder),
      alone_until_(plan.alone_bytes) {
  text_.end = window_.end();
}

// Reads more of the input behind `keep`, which becomes the current position; false when there is no more.
bool document_reader::move_on(const char* keep) {
  const auto before = window_.end() - keep;
  cursor_ = window_.advance(keep);
  text_.end = window_.end();
  return window_.end() - cursor_ > before;
}

// Moves to the next byte that is not a space; false at the end of the input.
bool document_reader::read_space() {
  for (;;) {
    cursor_ = past_space(cursor_);
    if (cursor_ < window_.end()) return true;
    if (!move_on(cursor_)) return false;
  }
}

result<void> document_reader::read() {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  while (window_.end() - cursor_ < std::ssize(mark) && move_on(cursor_)) {
  }
  if (std::string_view(cursor_, static_cast<std::size_t>(window_.end() - cursor_)).starts_with(mark))
    cursor_ += mark.size();
  if (!read_space()) return no_trace("it is empty: no trace was written to it");
  const char first = *cursor_;
  if (first != '[' && first != '{')
    return no_trace(fmt::format("it is not JSON: its first character is '{}'", first));
  ++cursor_;
  if (first == '[') {
    read_events();
  } else if (auto root = read_root(); !root) {
    return root;
  }
  samples_.finish();
  writer_.finish();
  count_texts();
  return {};
}

result<void> document_reader::read_root() {
  while (!stopped_ && read_member()) {
  }
  if (!found_events_) {
    return no_trace(fmt::format("{} bytes of JSON{}, and no \"traceEvents\" in them", bytes_read(),
                                closed_ ? "" : ", cut off or damaged"));
  }
  if (closed_)
    count_trailing();
  else if (!stopped_ && !builder_.facts().quality.truncated())
    cut_off();
  return {};
}

void document_reader::count_trailing() {
  if (read_space())
    builder_.facts().quality.add(flaw::trailing_bytes, window_.offset_of(cursor_),
                                 "there is more behind the document");
}

// Reads one member of the root; false at its end or where it cannot be read.
bool document_reader::read_member() {
  const auto before = text_;
  for (token key;;) {
    text_.controls = before.controls;
    const auto* value = read_key(cursor_, text_, key);
    if (value != nullptr && value < window_.end()) {
      cursor_ = value;
      return read_member_value(std::string(key.text()));
    }
    if (value == nullptr && text_.stopped == nullptr) return cursor_ = key.begin + 1, closed_ = true, false;
    if (value == nullptr && !text_.stopped_at_end()) return false;
    if (!move_on(cursor_)) return false;
  }
}

bool document_reader::read_member_value(const std::string& key) {
  if (key == "traceEvents" && *cursor_ == '[') {
    ++cursor_;
    read_events();
    return true;
  }
  for (const auto before = text_;;) {
    text_.controls = before.controls, text_.non_finite = before.non_finite;
    const auto* behind = skip_value(cursor_, text_);
    if (behind != nullptr && behind < window_.end()) {
      if (!samples_.take(key, cursor_, text_))
        take_root_field(key, {cursor_, static_cast<std::size_t>(behind - cursor_)}, builder_.facts());
      cursor_ = behind;
      return true;
    }
    if (behind == nullptr && !text_.stopped_at_end()) return false;
    if (!move_on(cursor_)) return false;
  }
}

void document_reader::read_events() {
  found_events_ = true;
  while (!stopped_ && read_one_event()) {
    if (window_.offset_of(cursor_) >= alone_until_) [[unlikely]]
      read_on_several_threads();
  }
}

// Reads events on several threads as long as nothing else stands between them.
void document_reader::read_on_several_threads() {
  alone_until_ = std::numeric_limits<std::uint64_t>::max();
  const auto threads = plan_.threads == 0 ? usual_threads() : plan_.threads;
  if (threads < 2 || window_.at_end_of_input()) return;
  const auto offset = window_.offset_of(cursor_);
  writer_.forget_scanners();
  block_scanners scanners(source_, window_.leave(cursor_), offset, plan_.block_bytes, threads);
  while (const auto* const block = scanners.next()) {
    writer_.add(*block, text_);
    events_ += block->events.size();
    if (block->stopped() || over_limit(block->offset + block->size)) break;
  }
  auto unread = scanners.leave();
  window_.restart(std::move(unread), scanners.offset());
  cursor_ = window_.begin();
  text_.end = window_.end();
  alone_until_ = scanners.offset() + plan_.alone_bytes;
}

// Reads the next event; false at the end of the list.
bool document_reader::read_one_event() {
  while (is_space(*cursor_) || *cursor_ == ',') ++cursor_;
  if (*cursor_ == '{') {
    const auto before = text_;
    if (const auto* behind = reader_.read(cursor_, text_, event_)) {
      writer_.add(event_, text_, window_.offset_of(cursor_));
      ++events_;
      cursor_ = behind;
      return true;
    }
    text_.controls = before.controls, text_.non_finite = before.non_finite;
    if (!text_.stopped_at_end()) return recover("an event cannot be read"), true;
  } else if (cursor_ < window_.end()) {
    if (*cursor_ == ']') return ++cursor_, false;
    return recover("there is no event where one should start"), true;
  }
  if (over_limit(bytes_read())) return false;
  if (move_on(cursor_)) return true;
  if (cursor_ == window_.end()) return false;
  if (next_event_start(cursor_, cursor_ + 1, window_.end()) < window_.end())
    return recover("an event does not end"), true;
  return cut_off(), false;
}

void document_reader::recover(std::string_view why) {
  builder_.facts().quality.add(flaw::unreadable_event, window_.offset_of(cursor_),
                               fmt::format("event {}: {}", events_, why));
  ++cursor_;
  while (!find_event()) {
    // The byte before the brace, apart from spaces, decides about it.
    const auto* keep = cursor_;
    while (keep > window_.begin() && is_space(keep[-1])) --keep;
    keep -= keep > window_.begin();
    const auto behind = cursor_ - keep;
    const bool more = move_on(keep);
    cursor_ += behind;
    if (!more) return;
  }
}

// Moves to where an event seems to start; false where deciding needs more text.
bool document_reader::find_event() {
  cursor_ = next_event_start(window_.begin(), cursor_, window_.end());
  return cursor_ < window_.end() && (is_told(cursor_, window_.end()) || window_.at_end_of_input());
}

void document_reader::cut_off() {
  builder_.facts().quality.add(
      flaw::truncated, bytes_read(),
      fmt::format("the input ends at byte {}, behind {} whole events", bytes_read(), events_));
}

bool document_reader::over_limit(std::uint64_t bytes) {
  if (bytes <= limits_.content_bytes && builder_.memory_bytes() <= limits_.memory_bytes) return false;
  builder_.facts().quality.add(flaw::over_limit, bytes,
                               fmt::format("the rest behind {} events was not read", events_));
  return stopped_ = true;
}

void document_reader::count_texts() {
  auto& quality = builder_.facts().quality;
  quality.add(flaw::control_character, 0, "raw control characters inside texts", text_.controls);
  quality.add(flaw::non_finite_number, 0, "NaN or Infinity in place of a number", text_.non_finite);
  if (const auto why = source_.ended_early(); why && !quality.truncated())
    quality.add(flaw::truncated, bytes_read(), why->text());
}

result<trace::trace> read_trace(trace::byte_source& source, trace::origin origin,
                                const trace::read_limits& limits, const read_plan& plan) {
  trace::trace_builder builder;
  const auto place =
      origin.path.empty() ? "" : origin.path + (origin.member.empty() ? "" : ":" + origin.member) + ": ";
  builder.facts().source = std::move(origin);
  document_reader document(source, builder, limits, plan);
  if (const auto done = document.read(); !done) return error{place + done.why().message, done.why().remedy};
  builder.facts().source.content_bytes = document.bytes_read();
  return std::move(builder).finish();
}

}  // namespace ridge::backends::trace_chrome_json
