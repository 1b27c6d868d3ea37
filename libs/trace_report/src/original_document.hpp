// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <ridge/trace/byte_source.hpp>

#include "raw_event.hpp"

namespace ridge::trace_report {

// Reads a document of Chrome JSON once more, event by event as bytes, in a window that grows only for an
// event or a member that is longer. What cannot be read is left out, as the importer does.
class original_document {
 public:
  struct visitor {
    // Called for each member of the root but the list of events; `value` is its JSON text.
    std::function<void(std::string_view key, std::string_view value)> member{};
    // Called for each event; `offset` is that of its opening brace in the document.
    std::function<void(const raw_event& event, std::uint64_t offset)> event{};
  };

  explicit original_document(trace::byte_source& source) : source_(source) {}
  void read(const visitor& visit);

 private:
  [[nodiscard]] bool more();
  [[nodiscard]] bool at_something();
  [[nodiscard]] char now() const { return window_[next_]; }
  [[nodiscard]] trace::json_walk walk() const { return {.end = window_.data() + window_.size()}; }
  void read_events(const visitor& visit);
  [[nodiscard]] bool read_event(const visitor& visit);
  [[nodiscard]] bool read_member(const visitor& visit);
  [[nodiscard]] bool recover();

  trace::byte_source& source_;
  std::string window_{};
  std::size_t next_ = 0;      // in the window
  std::uint64_t before_ = 0;  // bytes of the document before the window
  bool ended_ = false;
};

}  // namespace ridge::trace_report
