// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace ridge::plan::serve {

// The link over which keys and values leave one prefill replica, first come, first served.
class kv_link {
 public:
  struct sent {
    double ready_s = 0;    // when everything has arrived
    double wait_s = 0;     // time during which the link was busy with others
    double exposed_s = 0;  // transfer time after the end of the prefill
  };
  // Sends `bytes` that are computed layer by layer from `begin_s` to `end_s`: those of the first layer leave
  // when it is computed, those of the last one not before `end_s`.
  sent send(double begin_s, double end_s, int layers, double bytes, double bytes_per_s, double latency_s) {
    const double layer = 1.0 / layers, whole_s = bytes / bytes_per_s;
    const double first_s = begin_s + (end_s - begin_s) * layer;
    const double start_s = std::max(first_s, free_s_);
    free_s_ = start_s + whole_s;
    const double ready_s = std::max(end_s + whole_s * layer, free_s_) + latency_s;
    return {ready_s, start_s - first_s, ready_s - end_s};
  }

 private:
  double free_s_ = 0;
};

}  // namespace ridge::plan::serve
