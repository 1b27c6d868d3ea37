// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "fixtures/wire_writer.hpp"

namespace ridge::backends::trace_pftrace {

using trace::fixtures::wire_writer;

// A trace, packet by packet, all on sequence 1 unless the packet says otherwise.
class made_up_trace {
 public:
  made_up_trace& packet(const wire_writer& fields) {
    bytes_ += wire_writer().message(1, fields).bytes();
    return *this;
  }
  made_up_trace& process(std::uint64_t uuid, std::uint64_t pid, std::string_view name) {
    return packet(wire_writer().message(
        60, wire_writer().number(1, uuid).message(3, wire_writer().number(1, pid).text(6, name))));
  }
  made_up_trace& thread(std::uint64_t uuid, std::uint64_t pid, std::uint64_t tid, std::string_view name) {
    return packet(wire_writer().message(
        60,
        wire_writer().number(1, uuid).message(4, wire_writer().number(1, pid).number(2, tid).text(5, name))));
  }
  made_up_trace& track(std::uint64_t uuid, std::uint64_t parent, std::string_view name) {
    return packet(wire_writer().message(60, wire_writer().number(1, uuid).number(5, parent).text(2, name)));
  }
  // An event without names to look up.
  made_up_trace& event(std::uint64_t time, const wire_writer& track_event) {
    return packet(wire_writer().number(8, time).number(10, 1).message(11, track_event));
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_{};
};

inline wire_writer begin(std::uint64_t track, std::string_view category, std::string_view name) {
  return wire_writer().number(9, 1).number(11, track).text(22, category).text(23, name);
}
inline wire_writer end(std::uint64_t track) { return wire_writer().number(9, 2).number(11, track); }
inline wire_writer annotation(std::string_view name, std::uint64_t value) {
  return wire_writer().text(10, name).number(4, value);
}
inline wire_writer annotation(std::string_view name, std::string_view value) {
  return wire_writer().text(10, name).text(6, value);
}
inline wire_writer annotation(std::string_view name, std::initializer_list<std::uint64_t> values) {
  wire_writer list;
  list.text(10, name);
  for (const auto v : values) list.message(12, wire_writer().number(4, v));
  return list;
}

}  // namespace ridge::backends::trace_pftrace
