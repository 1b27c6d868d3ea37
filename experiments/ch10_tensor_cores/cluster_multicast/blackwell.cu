// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/error.hpp>
#include <ridge/kernels/tensor_memory_launch.cuh>

#include "cluster_multicast.hpp"

namespace ridge::experiments::ch10_cluster_multicast {
namespace {

// The same tiles and stages as kernels.cu's.
template <unsigned Stages>
enqueued with(const workload& w) {
  return kernels::planned_tensor_memory_product<kernels::tensor_memory_tile<1, 128, Stages, 8>>(
      kernels::operands_of(w));
}

}  // namespace

enqueued shared_by_eight(const workload& w) {
  switch (w.stages) {
    case 2:
      return with<2>(w);
    case 3:
      return with<3>(w);
    case 4:
      return with<4>(w);
    case 6:
      return with<6>(w);
    default:
      throw unavailable("a ring of this many stages", "choose 2, 3, 4 or 6");
  }
}

}  // namespace ridge::experiments::ch10_cluster_multicast
