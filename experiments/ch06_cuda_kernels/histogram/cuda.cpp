// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "histogram.hpp"

namespace ridge::experiments::ch06_histogram {

// Why gains over the global bins exceed ten times.
constexpr auto shared_atomics =
    "the baseline's additions meet in 256 words of the L2; in shared memory they meet only within a "
    "multiprocessor";

ladder<workload> cuda() {
  return {
      {.name = "global_atomics",
       .is = role::baseline,
       .idea = "a thread a byte, which adds one to a bin in global memory",
       .run = enqueues(launch_global_atomics),
       .pedagogy = true},
      {.name = "shared_bins",
       .idea = "bins of each block in shared memory, and 16 bytes a load",
       .run = enqueues(launch_shared_bins),
       .explanation = shared_atomics},
      {.name = "warp_aggregated",
       .idea = "the lanes of a warp that hold equal bytes add once, together",
       .run = enqueues(launch_warp_aggregated),
       .explanation = shared_atomics},
      {.name = "lane_bins",
       .idea = "bins of each lane, in the lane's own bank: no addition meets another's bank",
       .run = enqueues(launch_lane_bins),
       .explanation = shared_atomics},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceHistogram::HistogramEven",
       .run = enqueues_in_scratch(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch06_histogram
