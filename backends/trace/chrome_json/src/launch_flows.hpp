// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "event_fields.hpp"

namespace ridge::backends::trace_chrome_json {

// Traces without correlation numbers draw an arrow from each launch to its work instead: the arrow's id is
// the number. Calls and work without a number are held back until the end; once a correlation number was
// seen, nothing is held back.
class launch_flows {
 public:
  [[nodiscard]] bool needed() const { return !told_; }
  void numbers_are_told() { told_ = true; }

  void add_arrow(const event_fields& e);
  void hold(const event_fields& e, const trace::event_row& row, std::optional<trace::device_work> work = {});
  // Adds what was held back to the builder, with the numbers of their arrows.
  void finish(trace::trace_builder& builder);

 private:
  using place = std::tuple<std::int64_t, std::int64_t, trace::nanoseconds>;  // process, thread, start
  struct held {
    place key{};
    trace::event_row row{};
    std::optional<trace::device_work> work{};
  };
  [[nodiscard]] static place place_of(const event_fields& e);
  std::map<place, std::uint32_t> ids_{};
  std::vector<held> held_{};
  bool told_ = false;
};

}  // namespace ridge::backends::trace_chrome_json
