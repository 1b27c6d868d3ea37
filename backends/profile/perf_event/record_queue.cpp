// SPDX-License-Identifier: Apache-2.0
#include "record_queue.hpp"

#include <algorithm>

namespace ridge::backends::profile_perf_event {

void record_queue::add(timed_record record) { waiting_.push_back(std::move(record)); }

void record_queue::give_before(std::int64_t time_ns,
                               const std::function<void(const profile::sampler_record&)>& sink) {
  std::ranges::stable_sort(waiting_, {}, &timed_record::time_ns);
  const auto end = std::ranges::lower_bound(waiting_, time_ns, {}, &timed_record::time_ns);
  for (auto r = waiting_.begin(); r != end; ++r) sink(r->record);
  waiting_.erase(waiting_.begin(), end);
}

}  // namespace ridge::backends::profile_perf_event
