// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ridge/trace/ids.hpp>

namespace ridge::trace_report {

// The document of a page for Perfetto, event by event, given on in pieces of about a megabyte.
class perfetto_text {
 public:
  explicit perfetto_text(const std::function<void(std::string_view)>& out) : out_(out) {}

  // Begins another event; its text follows.
  void next() {
    if (!first_) text_ += ",\n";
    first_ = false;
    if (text_.size() > (1U << 20)) flush();
  }
  void add(std::string_view text) { text_ += text; }
  // Microseconds with three decimals are exact.
  void time(std::string_view key, trace::nanoseconds ns) { put(",\"{}\":{}", key, microseconds(ns)); }
  [[nodiscard]] static std::string microseconds(trace::nanoseconds ns) {
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns) / 1000, std::abs(ns) % 1000);
  }
  template <class... Parts>
  void put(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }
  [[nodiscard]] std::string& text() { return text_; }
  void flush() {
    out_(text_);
    text_.clear();
  }

 private:
  const std::function<void(std::string_view)>& out_;
  std::string text_{};
  bool first_ = true;
};

}  // namespace ridge::trace_report
