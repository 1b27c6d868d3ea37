// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "fixtures/wire_writer.hpp"

namespace ridge::backends::trace_xplane {

using trace::fixtures::wire_writer;

// A plane that gives names their numbers at their first use and writes them last, as the profiler does.
class made_up_plane {
 public:
  explicit made_up_plane(std::string_view name) : name_(name) {}

  // Stats: a number, a text, a text kept among the names.
  [[nodiscard]] wire_writer stat(std::string_view name, std::uint64_t value) {
    return wire_writer().number(1, stat_id(name)).number(3, value);
  }
  [[nodiscard]] wire_writer stat(std::string_view name, std::string_view value) {
    return wire_writer().number(1, stat_id(name)).number(7, stat_id(value));
  }
  [[nodiscard]] wire_writer inline_stat(std::string_view name, std::string_view value) {
    return wire_writer().number(1, stat_id(name)).text(5, value);
  }
  [[nodiscard]] wire_writer event(std::string_view name, std::uint64_t offset_ps, std::uint64_t duration_ps,
                                  const std::initializer_list<wire_writer>& stats = {}) {
    wire_writer e;
    e.number(1, id_in(kinds_, name)).number(2, offset_ps).number(3, duration_ps);
    for (const auto& s : stats) e.message(4, s);
    return e;
  }
  made_up_plane& line(std::uint64_t id, std::string_view name, std::uint64_t start_ns,
                      const std::initializer_list<wire_writer>& events) {
    wire_writer l;
    l.number(1, id).text(2, name).number(3, start_ns);
    for (const auto& e : events) l.message(4, e);
    lines_.message(3, l);
    return *this;
  }
  made_up_plane& fact(const wire_writer& stat) {
    facts_.message(6, stat);
    return *this;
  }

  [[nodiscard]] std::string bytes() const {
    wire_writer names;
    for (const auto& [name, id] : kinds_)
      names.message(4, wire_writer().number(1, id).message(2, wire_writer().number(1, id).text(2, name)));
    for (const auto& [name, id] : stats_)
      names.message(5, wire_writer().number(1, id).message(2, wire_writer().number(1, id).text(2, name)));
    return wire_writer().number(1, 7).text(2, name_).bytes() + lines_.bytes() + names.bytes() +
           facts_.bytes();
  }

 private:
  using ids = std::map<std::string, std::uint64_t, std::less<>>;
  static std::uint64_t id_in(ids& known, std::string_view name) {
    return known.try_emplace(std::string(name), known.size() + 1).first->second;
  }
  std::uint64_t stat_id(std::string_view name) { return id_in(stats_, name); }

  std::string name_;
  wire_writer lines_{}, facts_{};
  ids kinds_{}, stats_{};
};

}  // namespace ridge::backends::trace_xplane
