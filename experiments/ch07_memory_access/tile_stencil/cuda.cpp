// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <ridge/harness/experiment.hpp>

#include "tile_stencil.hpp"

namespace ridge::experiments::ch07_tile_stencil {
namespace {

using body = std::function<void(workload&, call&)>;

// A launch a step, to and fro between the target and an array of its own.
body launch_per_step(one_step step, const workload& shape, setup& s) {
  return [step, scratch = s.workspace<float>(shape.source.size()).data()](workload& w, call& c) {
    step(w, w.source.data(), scratch, c.queue());
    step(w, scratch, w.target.data(), c.queue());
    step(w, w.target.data(), scratch, c.queue());
    step(w, scratch, w.target.data(), c.queue());
  };
}

auto by_steps(one_step step) {
  return [step](workload& w, setup& s) { return launch_per_step(step, w, s); };
}

auto in_one_pass(void (*launch)(const workload&, stream)) {
  return [launch](workload& w, setup& s) -> body {
    return in_quads(w) ? enqueues(launch) : launch_per_step(step_shared, w, s);
  };
}

double traffic_of_passes(const problem& p) { return steps * 8 * p.real("rows") * p.real("columns"); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "global",
       .is = role::baseline,
       .idea = "a launch a step: an element a thread, which reads its neighbours from the caches",
       .run = by_steps(step_global),
       .traffic = traffic_of_passes},
      {.name = "shared_tile",
       .idea = "neighbours come from a tile of 64 x 64 in shared memory",
       .run = by_steps(step_shared),
       .traffic = traffic_of_passes},
      {.name = "rows_in_registers",
       .idea = "four steps in one pass: a warp goes down a strip with the rows of all steps in registers",
       .run = in_one_pass(launch_rows)},
      {.name = "tensor_boxes",
       .idea = "the same pass over boxes that tensor maps copy ahead, zeros beyond the grid included",
       .run = in_one_pass(launch_boxes),
       .needs = {.compute_capability = {9, 0}}},
  };
}

}  // namespace ridge::experiments::ch07_tile_stencil
