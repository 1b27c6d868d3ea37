// SPDX-License-Identifier: Apache-2.0
#include <span>

#include <ridge/harness/experiment.hpp>

#include "fused_l2norm.hpp"

namespace ridge::experiments::ch09_fused_l2norm {
namespace {

template <void (*Launch)(const workload&, std::span<float>, stream)>
auto by_squares(workload& shape, setup& s) {
  return [squares = s.workspace<float>(2 * shape.x.size())](workload& w, call& c) {
    Launch(w, squares, c.queue());
  };
}

// Two reads and a write for the sum, a read and a write for each of the others.
double four_passes(const problem& p) { return p.real("elements") * 4 * (2 + 2 + 3 + 2); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "four_kernels",
       .is = role::baseline,
       .idea = "squares, squares, sums, roots: each a kernel with its own passes over memory",
       .run = by_squares<launch_four>,
       .traffic = four_passes},
      {.name = "one_kernel",
       .idea = "the squares and the sum stay in registers",
       .run = enqueues(launch_one)},
      {.name = "vectors", .idea = "one kernel, 16 bytes an access", .run = enqueues(launch_vectors)},
      {.name = "cub_chain",
       .is = role::comparator,
       .idea = "cub::DeviceTransform for each of the four steps",
       .run = by_squares<launch_cub_chain>,
       .traffic = four_passes},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceTransform once, with the whole expression",
       .run = enqueues(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch09_fused_l2norm
