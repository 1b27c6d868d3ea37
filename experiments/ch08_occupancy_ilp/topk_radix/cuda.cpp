// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "topk_radix.hpp"

namespace ridge::experiments::ch08_topk_radix {

// Why gains over the sort exceed ten times.
constexpr auto one_read =
    "the sort reads and writes every value once for each digit; one read is enough to select";

ladder<workload> cuda() {
  return {
      {.name = "full_sort",
       .is = role::baseline,
       .idea = "cub::DeviceSegmentedRadixSort, then the first k of each row are copied",
       .run = enqueues_in_scratch(launch_cub_sort)},
      {.name = "radix_select",
       .idea =
           "a block a row counts digits from the highest on until few candidates are left, and sorts them",
       .run = enqueues(launch_radix_select),
       .explanation = one_read},
      {.name = "cluster_select",
       .idea = "one read: a sample bounds the k-th largest, a cluster gathers the few values that reach the "
               "bound",
       .run = enqueues(launch_cluster_select),
       .needs = {.compute_capability = {9, 0}},
       .explanation = one_read},
  };
}

}  // namespace ridge::experiments::ch08_topk_radix
