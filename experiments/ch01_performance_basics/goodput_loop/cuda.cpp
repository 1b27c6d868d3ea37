// SPDX-License-Identifier: Apache-2.0
#include "cuda_epochs.hpp"
#include "goodput_loop.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

auto preallocated(workload& w, setup& s) { return serial_device_epoch(w, s); }

template <std::size_t Batch, step_by How>
auto overlapped(workload& w, setup& s) {
  return overlapped_device_epoch(w, s, Batch, How);
}

}  // namespace

ladder<workload> cuda() {
  const needs loader_thread{.cores = 2};
  return {
      {.name = "malloc_pageable_sync",
       .is = role::baseline,
       .idea = "every step allocates on the GPU, copies from pageable memory and waits for each operation",
       .run = malloc_pageable_epoch},
      {.name = "preallocated",
       .idea = "buffers are made once; the host still waits for each window's copy and steps",
       .run = preallocated},
      {.name = "pinned_async",
       .idea = "a thread loads ahead into pinned memory, copied on a second stream during the steps",
       .run = overlapped<batch_rows, step_by::launches>,
       .needs = loader_thread,
       .threads = 2},
      {.name = "larger_batch",
       .idea = "four times the rows a step: a quarter of the launches",
       .run = overlapped<window_rows, step_by::launches>,
       .needs = loader_thread,
       .threads = 2},
      {.name = "graph",
       .idea = "the step's 13 launches are captured once and launched as one",
       .run = overlapped<window_rows, step_by::graph>,
       .needs = loader_thread,
       .threads = 2},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "larger_batch with its products planned by cuBLASLt",
       .run = overlapped<window_rows, step_by::cublaslt>,
       .needs = loader_thread,
       .threads = 2},
  };
}

}  // namespace ridge::experiments::ch01_goodput_loop
