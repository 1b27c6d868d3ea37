// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "xplane_messages.hpp"

namespace ridge::backends::trace_xplane {

// The ends of an arrow between two host events: equal type and id belong together.
struct arrow_end {
  std::optional<std::int64_t> id{};
  std::int64_t type = 0;
};

// What the stats of an event say that a trace keeps. Texts stand in the content.
struct event_stats {
  std::uint32_t correlation = 0;
  std::uint32_t context = 0;
  std::uint32_t graph = 0;
  std::uint64_t graph_node = 0;
  std::optional<std::int64_t> step{};   // step_num of a StepTraceAnnotation
  std::optional<std::int64_t> bytes{};  // of a transfer
  std::string_view step_name{}, hlo_op{}, hlo_module{};
  std::string_view kernel_details{}, copy_details{}, fill_details{}, allocation_details{};
  std::optional<double> occupancy_percent{}, counter{};
  arrow_end producer{}, consumer{};
};

// Knows the stats of one plane by their names.
class stat_reader {
 public:
  explicit stat_reader(const plane& p);
  // Adds what a stat's message says to `stats`.
  void read(std::string_view message, event_stats& stats) const;
  // Returns what the stats of an event's kind say, which hold for all its events.
  [[nodiscard]] const event_stats& of_kind(std::int64_t kind);

 private:
  using reader = void (*)(const stat_value&, event_stats&);
  const plane& plane_;
  std::unordered_map<std::int64_t, reader> readers_{};
  std::unordered_map<std::int64_t, event_stats> of_kinds_{};
};

}  // namespace ridge::backends::trace_xplane
