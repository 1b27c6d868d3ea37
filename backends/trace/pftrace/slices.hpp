// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include <ridge/trace/ids.hpp>
#include <ridge/trace/quality.hpp>

namespace ridge::backends::trace_pftrace {

// The begins and ends of a trace's slices, and their pairs once all are read. On tracks whose packets come in
// the order of time, an end closes the slice opened last. PyTorch writes all begins of a group of slices
// before all their ends, which shows in tracks that are out of order: in such a trace the first end belongs
// to the first begin. Other tracks are put in the order of time.
class slices {
 public:
  void begin(std::uint64_t track, trace::nanoseconds time, std::uint32_t slice) {
    tracks_[track].push_back({time, slice, true});
  }
  void end(std::uint64_t track, trace::nanoseconds time) { tracks_[track].push_back({time, 0, false}); }

  // Calls `take` with each slice, its start and its end. A begin without its end ends with its track; ends
  // without a begin are counted.
  using take_slice =
      std::function<void(std::uint32_t slice, trace::nanoseconds start, trace::nanoseconds end)>;
  void pair(trace::input_quality& quality, const take_slice& take);

 private:
  struct half {
    trace::nanoseconds time = 0;
    std::uint32_t slice = 0;
    bool begins = false;
  };
  using halves = std::vector<half>;
  static bool fits_groups(const halves& track);
  static bool is_out_of_order_by_groups(const halves& track);
  static void pair_groups(const halves& track, const take_slice& take);
  static void pair_nested(const halves& track, trace::input_quality& quality, const take_slice& take);

  std::unordered_map<std::uint64_t, halves> tracks_{};
};

}  // namespace ridge::backends::trace_pftrace
