// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "record_reader.hpp"

namespace ridge::backends::profile_perf_event {

// Brings the records of several processors into the order of time: a thread that moves leaves its mappings in
// another ring than its samples.
class record_queue {
 public:
  void add(timed_record record);
  // Hands over what happened before a time, oldest first; of the same time, what was added first.
  void give_before(std::int64_t time_ns, const std::function<void(const profile::sampler_record&)>& sink);

 private:
  std::vector<timed_record> waiting_{};
};

}  // namespace ridge::backends::profile_perf_event
