// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/trace.hpp>

#include "overflow_lanes.hpp"

namespace ridge::trace_report {

struct perfetto_place {
  std::uint64_t process = 0;
  std::uint64_t thread = 0;
  std::uint32_t lane = 0;
};

// Assigns each event of a trace its place. The processes of the first trace keep their numbers; all others,
// and all threads, get numbers of their own, so that several traces can share a page. Devices are processes,
// and streams are their threads.
class perfetto_tracks {
 public:
  struct named_process {
    std::uint64_t id = 0;
    std::string name{};
  };
  struct named_lane {
    perfetto_place place{};
    std::string name{};
  };

  perfetto_tracks(const trace::trace& t, std::string_view label, std::uint32_t index);

  [[nodiscard]] perfetto_place place_of(trace::event_id e) const;
  [[nodiscard]] perfetto_place first_lane(trace::track_id track) const;
  [[nodiscard]] std::uint64_t process_of(const trace::counter_series& series) const;
  [[nodiscard]] const std::vector<named_process>& processes() const { return processes_; }
  [[nodiscard]] const std::vector<named_lane>& lanes() const { return lanes_; }

 private:
  [[nodiscard]] std::uint64_t process_number(std::int64_t key, const std::string& name,
                                             std::int64_t told = 0);
  [[nodiscard]] std::uint64_t host_process(std::uint32_t process);
  [[nodiscard]] std::uint64_t device_process(std::int32_t device);
  void place_track(trace::track_id track);

  const trace::trace& trace_;
  std::string label_;
  std::uint32_t index_;
  std::uint64_t base_;
  std::map<std::int64_t, std::uint64_t> numbers_{};
  std::vector<named_process> processes_{};
  std::vector<named_lane> lanes_{};
  std::vector<perfetto_place> first_{};               // by track
  std::map<trace::event_id, std::uint32_t> moved_{};  // events on a lane above the first
};

}  // namespace ridge::trace_report
