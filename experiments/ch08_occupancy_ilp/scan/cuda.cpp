// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "scan.hpp"

namespace ridge::experiments::ch08_scan {
namespace {

using launch_function = void (*)(const workload&, std::span<std::byte>, stream);

// A body that works in the bytes that `bytes` says.
auto in_workspace(launch_function launch, std::size_t (*bytes)(std::size_t) = workspace_bytes) {
  return [launch, bytes](workload& shape, setup& s) {
    return [launch, workspace = s.workspace<std::byte>(bytes(shape.terms.size()))](workload& w, call& c) {
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
       .needs = {.architecture = "sm_90a"}},
      {.name = "cub",
       .is = role::comparator,
       .idea = "cub::DeviceScan::InclusiveSum",
       .run = in_workspace(launch_cub, cub_bytes)},
  };
}

}  // namespace ridge::experiments::ch08_scan
