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

// A trace's row in the view of all ranks.
struct merged_track {
  std::uint32_t trace = 0;
  track_id track = 0;  // in its trace
  std::string name{};  // "rank 3 / stream 7", "rank 3 / thread 4711 (pt_main_thread)"
};

struct merged_source {
  std::uint32_t trace = 0;
  int rank = -1;        // -1: not told
  std::string label{};  // "rank 3"; no two are equal
  clock_map clock{};
  time_range span{};  // of its events, on the common clock
};

// Several ranks on one clock. Refers to the traces, copies no event.
struct merged_view {
  nanoseconds epoch_ns = 0;  // Unix time of the common clock's zero; 0: not known
  time_range span{};
  std::vector<merged_source> sources{};    // by rank
  std::vector<merged_track> tracks{};      // of sources in their order
  clock_alignment clocks{};                // by trace
  std::vector<std::uint32_t> unaligned{};  // traces that nothing relates to the first

  [[nodiscard]] nanoseconds common_ns(std::uint32_t of, nanoseconds t) const;  // of that trace
};

[[nodiscard]] merged_view merge(std::span<const trace> traces, const clock_alignment& clocks);

}  // namespace ridge::trace
