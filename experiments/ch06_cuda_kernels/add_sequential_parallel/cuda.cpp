// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "add_sequential_parallel.hpp"

namespace ridge::experiments::ch06_add_sequential_parallel {

// Why gains over one thread exceed ten times.
constexpr auto whole_gpu = "the baseline is one thread of the two hundred thousand and more that a GPU holds";

ladder<workload> cuda() {
  return {
      {.name = "one_thread",
       .is = role::baseline,
       .idea = "<<<1, 1>>>: the loop of a CPU, on one thread of the GPU",
       .run = enqueues(launch_one_thread),
       .pedagogy = true},
      {.name = "one_block",
       .idea = "<<<1, 1024>>>: all threads of one block, on one multiprocessor",
       .run = enqueues(launch_one_block),
       .explanation = whole_gpu},
      {.name = "parallel",
       .idea = "a thread an element, on every multiprocessor",
       .run = enqueues(launch_parallel),
       .explanation = whole_gpu},
      {.name = "vectors",
       .idea = "16 bytes a load, four loads of each array on the way",
       .run = enqueues(launch_vectors),
       .explanation = whole_gpu},
      {.name = "cub", .is = role::comparator, .idea = "cub::DeviceTransform", .run = enqueues(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch06_add_sequential_parallel
