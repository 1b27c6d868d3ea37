// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <ridge/trace/trace.hpp>

#include "timeline/busy_time.hpp"

namespace ridge::trace {

// Device work by the process that launched it, to find what a thread waited for.
class waited_work {
 public:
  explicit waited_work(const trace& t);

  // Returns the work of the call's process that ended last in (start, end] of the call; of one stream where
  // synchronization records name it.
  [[nodiscard]] work_id of_call(event_id call) const;
  // Returns the time within `r` in which the call's process had work on a device.
  [[nodiscard]] nanoseconds busy_within(event_id call, time_range r) const;
  // Returns the time from `t` until the device works again.
  [[nodiscard]] std::optional<time_range> idle_from(std::int32_t device, nanoseconds t) const;

 private:
  struct by_end {
    nanoseconds end_ns = 0;
    work_id work = none;
  };
  struct process_work {
    std::vector<by_end> ends{};
    busy_time busy{};
  };
  [[nodiscard]] const process_work* of_process(event_id call) const;
  [[nodiscard]] std::optional<std::int32_t> stream_of(event_id call) const;

  const trace& trace_;
  std::map<std::uint32_t, process_work> processes_{};
  std::map<std::int32_t, busy_time> devices_{};
  std::map<std::uint32_t, std::vector<event_id>> records_{};  // synchronization records by correlation
};

}  // namespace ridge::trace
