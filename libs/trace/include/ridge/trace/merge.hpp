// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>
#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {

// A track of one trace in the view of all ranks.
struct merged_track {
  std::uint32_t trace = 0;
  track_id track = 0;  // index in its trace
  std::string name{};  // "rank 3 / stream 7", "rank 3 / thread 4711 (pt_main_thread)"
};

// One trace in the view of all ranks.
struct merged_source {
  std::uint32_t trace = 0;
  int rank = -1;        // -1: not recorded
  std::string label{};  // "rank 3"; unique
  clock_map clock{};
  time_range span{};  // first start to last end of its events, on the common clock
};

// Several ranks on one clock. It refers to the traces and copies no event.
struct merged_view {
  nanoseconds epoch_ns = 0;  // Unix time of the common clock's zero; 0: not known
  time_range span{};
  std::vector<merged_source> sources{};    // by rank
  std::vector<merged_track> tracks{};      // in the order of sources
  clock_alignment clocks{};                // indexed by trace
  std::vector<std::uint32_t> unaligned{};  // traces whose clock nothing relates to the first one's

  // Returns time `t` of that trace on the common clock.
  [[nodiscard]] nanoseconds common_ns(std::uint32_t trace, nanoseconds t) const;
};

// Returns the view of all traces on the common clock; the traces must outlive it.
[[nodiscard]] merged_view merge(std::span<const trace> traces, const clock_alignment& clocks);

}  // namespace ridge::trace
