// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "record_reader.hpp"

namespace ridge::backends::profile_perf_event {

// Orders the records of several processors by time: the mappings of a thread that moves lie in another ring
// than its samples.
class record_queue {
 public:
  void add(timed_record record);
  // Passes on what happened before a time, oldest first; at equal times, in the order of adding.
  void give_before(std::int64_t time_ns, const std::function<void(const profile::sampler_record&)>& sink);

 private:
  std::vector<timed_record> waiting_{};
};

}  // namespace ridge::backends::profile_perf_event
