// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "reduce.hpp"

namespace ridge::experiments::ch08_reduce {
namespace {

auto by_vectors(workload& shape, setup& s) {
  return
      [partial = s.workspace<float>(partial_sums(shape.terms.size())), finished = s.workspace<unsigned>(1)](
          workload& w, call& c) { launch_vectors(w, partial, finished.data(), c.queue()); };
}

// Why gains over the atomic baseline exceed ten times.
constexpr auto one_address =
    "the baseline's additions all go to one address, where the L2 does them one by one";

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "atomic_per_warp",
       .is = role::baseline,
       .idea = "a lane loads a term; each warp adds its sum to the result by an atomic operation",
       .run = enqueues(launch_atomics),
       .pedagogy = true},
      {.name = "block_tree",
       .idea = "a block of 1024 threads adds 1024 terms by shuffles; one atomic addition for it",
       .run = enqueues(launch_block_tree),
       .explanation = one_address},
      {.name = "vectors",
       .idea = "eight 16-byte loads on the way in each thread; the last block adds up the blocks' sums",
       .run = by_vectors,
       .explanation = one_address},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceReduce::Sum",
       .run = enqueues_in_scratch(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch08_reduce
