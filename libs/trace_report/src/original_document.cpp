// SPDX-License-Identifier: Apache-2.0
#include "original_document.hpp"

#include <algorithm>

namespace ridge::trace_report {

// Reads on behind what is waiting; false at the end of the document.
bool original_document::more() {
  constexpr std::size_t block = std::size_t{1} << 20;
  if (ended_) return false;
  window_.erase(0, next_);
  before_ += next_;
  next_ = 0;
  const auto kept = window_.size();
  const auto wanted = std::max(block, kept);
  window_.resize(kept + wanted);
  const auto got = source_.read(std::span(window_).subspan(kept));
  window_.resize(kept + got);
  ended_ = got < wanted;
  return got > 0;
}

// Moves to the next byte that is neither a space nor a comma; false at the end.
bool original_document::at_something() {
  do {
    next_ = std::min(window_.find_first_not_of(" \n\r\t,", next_), window_.size());
  } while (next_ == window_.size() && more());
  return next_ < window_.size();
}

void original_document::read(const visitor& visit) {
  if (!more()) return;
  if (window_.starts_with("\xef\xbb\xbf")) next_ = 3;
  if (!at_something()) return;
  const char first = now();
  ++next_;
  if (first == '[') return read_events(visit);
  while (first == '{' && at_something() && now() != '}' && read_member(visit)) {
  }
}

bool original_document::read_member(const visitor& visit) {
  for (;;) {
    auto at = walk();
    json_piece key;
    const auto* value = at.past_key(window_.data() + next_, key);
    if (value != nullptr && value < at.end && key.text() == "\"traceEvents\"" && *value == '[') {
      next_ = static_cast<std::size_t>(value - window_.data()) + 1;
      return read_events(visit), true;
    }
    const auto* behind = value == nullptr ? nullptr : at.past_value(value);
    if (behind != nullptr) {
      if (visit.member) visit.member(key.text(), json_piece{value, behind}.text());
      next_ = static_cast<std::size_t>(behind - window_.data());
      return true;
    }
    if (!at.cut || !more()) return false;
  }
}

void original_document::read_events(const visitor& visit) {
  while (at_something()) {
    if (now() == ']') {
      ++next_;
      return;
    }
    if (now() == '{' ? !read_event(visit) : !recover()) return;
  }
}

bool original_document::read_event(const visitor& visit) {
  for (raw_event event;;) {
    auto at = walk();
    if (const auto* behind = past_event(at, window_.data() + next_, event)) {
      visit.event(event, before_ + next_);
      next_ = static_cast<std::size_t>(behind - window_.data());
      return true;
    }
    if (!at.cut || !more()) return recover();
  }
}

// Moves to the next event behind this position; false where there is none.
bool original_document::recover() {
  constexpr std::size_t undecided = 64;  // an opening brace may need as much behind it
  for (auto from = next_ + 1;;) {
    const auto found = next_event_at(window_, from);
    if (found != std::string::npos) {
      next_ = found;
      return true;
    }
    next_ = std::max(next_, window_.size() - std::min(window_.size(), undecided));
    if (!more()) return false;
    from = 1;
  }
}

}  // namespace ridge::trace_report
