// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <span>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/harness/experiment.hpp>

#include "p2p_copy.hpp"

namespace ridge::experiments::ch02_p2p_copy {
namespace {

void enqueue_copy(void* target, const void* source, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  gpu::check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream),
             "cudaMemcpyAsync between GPUs");
}

// Pinned memory and an event, which the baseline needs for a copy by way of the host.
struct host_stage {
  explicit host_stage(std::size_t bytes) : buffer(bytes) {}
  gpu::pinned_memory buffer;
  gpu::event arrived{};
};

// The way down is on the first GPU's queue, the way up on the second's.
auto staged(workload& shape, setup&) {
  return [down = std::make_shared<host_stage>(shape.near.size_bytes()),
          up = std::make_shared<host_stage>(shape.far.size_bytes())](workload& w, call& c) {
    enqueue_copy(down->buffer.data(), w.near.data(), w.near.size_bytes(), c.queue());
    down->arrived.record(c.queue());
    down->arrived.hold_back(c.queue_on(1));
    enqueue_copy(w.there.data(), down->buffer.data(), w.there.size_bytes(), c.queue_on(1));
    // The copies follow one another, as in a program that waits for each.
    enqueue_copy(up->buffer.data(), w.far.data(), w.far.size_bytes(), c.queue_on(1));
    enqueue_copy(w.home.data(), up->buffer.data(), w.home.size_bytes(), c.queue_on(1));
  };
}

void by_copy_engine(workload& w, call& c) {
  enqueue_copy(w.there.data(), w.near.data(), w.near.size_bytes(), c.queue());
  enqueue_copy(w.home.data(), w.far.data(), w.far.size_bytes(), c.queue());
}

void by_kernel(workload& w, call& c) {
  launch_copy(w.near, w.there, c.queue());
  launch_copy(w.far, w.home, c.queue());
}

void by_copy_engines_at_once(workload& w, call& c) {
  enqueue_copy(w.there.data(), w.near.data(), w.near.size_bytes(), c.queue());
  enqueue_copy(w.home.data(), w.far.data(), w.far.size_bytes(), c.queue_on(1));
}

void by_kernels_at_once(workload& w, call& c) {
  launch_copy(w.near, w.there, c.queue());
  launch_copy(w.far, w.home, c.queue(1));
}

int gpu_of(const void* memory) {
  cudaPointerAttributes found{};
  gpu::check(cudaPointerGetAttributes(&found, memory), "cudaPointerGetAttributes of an array");
  return found.device;
}

// The body knows the numbers of both GPUs before it is timed.
auto with_memcpy_peer(workload& shape, setup&) {
  return [first = gpu_of(shape.near.data()), second = gpu_of(shape.there.data())](workload& w, call& c) {
    if (w.near.empty()) return;
    gpu::check(
        cudaMemcpyPeerAsync(w.there.data(), second, w.near.data(), first, w.near.size_bytes(), c.queue()),
        "cudaMemcpyPeerAsync");
    if (w.far.empty()) return;
    gpu::check(cudaMemcpyPeerAsync(w.home.data(), first, w.far.data(), second, w.far.size_bytes(), c.queue()),
               "cudaMemcpyPeerAsync");
  };
}

const needs two_gpus{.gpus = 2, .peer_access = true};
const needs two_gpus_two_queues{.gpus = 2, .queues = 2, .peer_access = true};

}  // namespace

// The harness fills and checks the second GPU's arrays from the first, so even the staged copy needs peer
// access.
ladder<workload> cuda() {
  return {
      {.name = "staged",
       .is = role::baseline,
       .idea = "to pinned host memory, then to the other GPU",
       .run = staged,
       .needs = two_gpus},
      {.name = "peer_memcpy",
       .idea = "a copy engine writes over the link",
       .run = by_copy_engine,
       .needs = two_gpus},
      {.name = "kernel",
       .idea = "a kernel stores 16 bytes per thread over the link, and loads what comes home",
       .run = by_kernel,
       .needs = two_gpus},
      {.name = "peer_memcpy_at_once",
       .idea = "each GPU's engine sends, both directions of the link at once",
       .run = by_copy_engines_at_once,
       .needs = two_gpus},
      {.name = "kernel_at_once",
       .idea = "one kernel stores and another loads, on two queues",
       .run = by_kernels_at_once,
       .needs = two_gpus_two_queues},
      {.name = "cuda_memcpy_peer",
       .is = role::comparator,
       .idea = "cudaMemcpyPeerAsync",
       .run = with_memcpy_peer,
       .needs = two_gpus},
  };
}

}  // namespace ridge::experiments::ch02_p2p_copy
