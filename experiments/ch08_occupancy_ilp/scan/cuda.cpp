// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "scan.hpp"

namespace ridge::experiments::ch08_scan {
namespace {

using launch_function = void (*)(const workload&, std::span<std::byte>, stream);

auto in_workspace(launch_function launch) {
  return [launch](workload& shape, setup& s) {
    const auto bytes = workspace_bytes(shape.terms.size());
    return [launch, workspace = s.workspace<std::byte>(bytes)](workload& w, call& c) {
      launch(w, workspace, c.queue());
    };
  };
}

double three_passes(const problem& p) { return 12 * p.real("elements"); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "three_kernels",
       .is = role::baseline,
       .idea = "sums of tiles, their scan, then a scan of each tile: the terms are read twice",
       .run = in_workspace(launch_three_kernels),
       .traffic = three_passes},
      {.name = "look_back",
       .idea =
           "one pass: a tile stays in registers while its block adds up what the tiles before it published",
       .run = in_workspace(launch_look_back)},
      {.name = "look_ahead",
       .idea =
           "one pass by blocks that stay: copies bring tiles, one warp adds them up ahead of those that scan",
       .run = in_workspace(launch_look_ahead),
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceScan::InclusiveSum",
       .run = enqueues_in_scratch(launch_cub)},
  };
}

}  // namespace ridge::experiments::ch08_scan
