// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "tma_2d_pipeline.hpp"

namespace ridge::experiments::ch10_tma_2d_pipeline {
namespace {

template <unsigned Stages>
void async_copies(workload& w, call& c) {
  launch_async_copies(w, Stages, c.queue());
}

template <unsigned Stages>
void tensor_copies(workload& w, call& c) {
  launch_tensor_copies(w, Stages, c.queue());
}

auto counted_copies(workload&, setup& s) {
  return [counter = s.workspace<unsigned>(1)](workload& w, call& c) {
    launch_counted_copies(w, counter.data(), c.queue());
  };
}

const needs ampere{.compute_capability = {8, 0}}, hopper{.compute_capability = {9, 0}};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "block_per_tile",
       .is = role::baseline,
       .idea = "a block loads its tile, waits and works: the others on its multiprocessor hide the wait",
       .run = enqueues(launch_block_per_tile)},
      {.name = "resident_block",
       .idea = "the same by one block a multiprocessor: nothing hides the wait",
       .run = enqueues(launch_resident_block)},
      {.name = "cp_async_2",
       .idea = "the next tile is under way while one is worked on: cp.async, two stages",
       .run = async_copies<2>,
       .needs = ampere},
      {.name = "cp_async_3", .idea = "three stages", .run = async_copies<3>, .needs = ampere},
      {.name = "tma_2",
       .idea = "one thread copies whole tiles by tensor map, two stages",
       .run = tensor_copies<2>,
       .needs = hopper},
      {.name = "tma_3", .idea = "three stages", .run = tensor_copies<3>, .needs = hopper},
      {.name = "tma_4", .idea = "four stages", .run = tensor_copies<4>, .needs = hopper},
      {.name = "tma_6", .idea = "six stages", .run = tensor_copies<6>, .needs = hopper},
      {.name = "tma_4_counted",
       .idea = "four stages, and a counter gives the next tile to whichever block is free",
       .run = counted_copies,
       .needs = hopper},
  };
}

}  // namespace ridge::experiments::ch10_tma_2d_pipeline
