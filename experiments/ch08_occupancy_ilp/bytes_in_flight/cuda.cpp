// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "bytes_in_flight.hpp"

namespace ridge::experiments::ch08_bytes_in_flight {

ladder<workload> cuda() {
  return {
      {.name = "16_warps_1_load",
       .is = role::baseline,
       .idea = "shared memory leaves room for a quarter of the warps: 8 KiB in flight",
       .run = enqueues(launch_16_warps_1_load)},
      {.name = "64_warps_1_load",
       .idea = "all warps: 32 KiB in flight",
       .run = enqueues(launch_64_warps_1_load)},
      {.name = "plain_loop",
       .idea = "all warps, 4 bytes a load, of which the compiler unrolls four: 32 KiB",
       .run = enqueues(launch_plain_loop)},
      {.name = "16_warps_4_loads",
       .idea = "a quarter of the warps, four loads each: 32 KiB",
       .run = enqueues(launch_16_warps_4_loads)},
      {.name = "8_warps_8_loads",
       .idea = "an eighth of the warps, eight loads each: 32 KiB",
       .run = enqueues(launch_8_warps_8_loads)},
      {.name = "8_warps_ring",
       .idea = "an eighth of the warps, 64 KiB on the way to shared memory",
       .run = enqueues(launch_ring)},
      {.name = "block_a_row",
       .idea = "all warps, two loads each: 64 KiB of one stretch of memory",
       .run = enqueues(launch_block_a_row)},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceSegmentedReduce: one block of 256 threads a row",
       .run = enqueues_in_scratch(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch08_bytes_in_flight
