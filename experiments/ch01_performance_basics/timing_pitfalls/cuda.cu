// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "fresh_pool.hpp"
#include "kernels.cuh"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

void wait_for(cudaStream_t queue) { gpu::check(cudaStreamSynchronize(queue), "cudaStreamSynchronize"); }

template <class Step>
void timed(call& c, observable timing, Step step) {
  const auto from = c.now();
  step();
  c.observe(timing, from, c.now());
}

// A launch returns as soon as the kernel is enqueued.
void without_waiting(workload& w, call& c) {
  const cudaStream_t on = c.queue();
  timed(c, naive, [&] { enqueue_halving(w.data, w.result, on); });
  wait_for(on);
  timed(c, right, [&] {
    enqueue_halving(w.data, w.result, on);
    wait_for(on);
  });
}

void keep(workload& w, std::span<const float> halves, cudaStream_t on) {
  if (halves.empty()) return;
  gpu::check(
      cudaMemcpyAsync(w.result.data(), halves.data(), halves.size_bytes(), cudaMemcpyDeviceToDevice, on),
      "cudaMemcpyAsync of the result");
}

// The first step into a new buffer makes the allocator map memory; later ones get the same memory again.
void from_cold(workload& w, call& c) {
  const cudaStream_t on = c.queue();
  const fresh_pool pool;
  for (const observable timing : {naive, right}) {
    std::span<float> buffer;
    timed(c, timing, [&] {
      buffer = pool.allocate(w.data.size(), on);
      enqueue_halving(w.data, buffer, on);
      wait_for(on);
    });
    keep(w, buffer, on);
    fresh_pool::release(buffer, on);
    wait_for(on);
  }
}

// A loop over one small buffer finds it in the second-level cache; a caller whose data comes from memory does
// not.
void from_cache(workload& w, call& c) {
  const cudaStream_t on = c.queue();
  timed(c, naive, [&] {
    enqueue_halving_in_slices(w.data, w.result, visits::one_slice_again_and_again, on);
    wait_for(on);
  });
  timed(c, right, [&] {
    enqueue_halving_in_slices(w.data, w.result, visits::every_slice_once, on);
    wait_for(on);
  });
}

// Zeros as indices all name the same element, which is in every cache.
void from_one_slot(workload& w, call& c) {
  const cudaStream_t on = c.queue();
  timed(c, naive, [&] {
    enqueue_look_up(w.data, w.misleading, w.result, on);
    wait_for(on);
  });
  timed(c, right, [&] {
    enqueue_look_up(w.data, w.data, w.result, on);
    wait_for(on);
  });
}

struct form {
  std::string_view of;
  void (*run)(workload&, call&);
};
constexpr form forms[] = {{"no_synchronize", without_waiting},
                          {"cold_start", from_cold},
                          {"warm_cache", from_cache},
                          {"zero_indices", from_one_slot}};

// What was enqueued before the call is not part of either time.
auto both_ways(workload& w, setup&) {
  const auto* shown = std::ranges::find(forms, w.shown->name, &form::of);
  if (shown == std::end(forms)) {
    throw unavailable("pitfall " + w.shown->name + " on CUDA", "it is a mistake of timing a CPU");
  }
  return [run = shown->run](workload& of, call& c) {
    wait_for(c.queue());
    run(of, c);
  };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "both_ways",
       .is = role::baseline,
       .idea =
           "the same step, timed wrongly and rightly in one call; the host waits for the GPU, or ought to",
       .run = both_ways}};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
