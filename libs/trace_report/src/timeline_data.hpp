// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ridge/trace_report/html_page.hpp>

#include "timeline_lane.hpp"

namespace ridge::trace_report {

// Packs what the page's script draws. As JSON:
//   {"span": ns, "merged": ns, "names": [[text, kind]...],
//    "tracks": [{"name", "group", "kind", "lanes": [{"count", "data"}...]}...]}
// "data" is base64 of LEB128 numbers, six per box: start minus the previous start, length, index into names,
// number of its events minus one, and the differences of correlation and event id to the previous box (both
// zigzag). Times are relative to zero_ns().
class timeline_data {
 public:
  timeline_data(std::span<const html_trace> traces, const html_limits& limits);

  // The time on the common clock where the timeline starts.
  [[nodiscard]] trace::nanoseconds zero_ns() const { return zero_; }
  [[nodiscard]] trace::nanoseconds end_ns() const { return end_; }
  [[nodiscard]] const html_counts& counts() const { return counts_; }
  void write(const std::function<void(std::string_view)>& out);

 private:
  struct shown_track {
    std::size_t trace = 0;
    trace::track_id track = trace::none;  // none: the steps
    std::vector<timeline_lane> lanes{};
  };
  void collect(std::size_t index, const html_limits& limits);
  void collect_steps(std::size_t index);
  void stretch(const timeline_lane& lane);
  void choose_merging(std::size_t most);
  std::string packed(const html_trace& shown, const timeline_lane& lane);
  std::uint32_t name_index(std::string_view name, int kind);

  std::span<const html_trace> traces_;
  std::vector<shown_track> tracks_{};
  trace::nanoseconds zero_ = 0, end_ = 0;
  html_counts counts_{};
  std::map<std::pair<std::string, int>, std::uint32_t> name_ids_{};
  std::string names_{};
};

}  // namespace ridge::trace_report
