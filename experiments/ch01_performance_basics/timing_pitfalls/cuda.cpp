// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "steps.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

// A memory pool of the current device that holds no memory yet, and keeps what it was given.
class fresh_pool {
 public:
  fresh_pool();
  // Allocates in the stream's order; the elements are undefined.
  [[nodiscard]] std::span<float> allocate(std::size_t elements, cudaStream_t stream) const;
  static void release(std::span<float> elements, cudaStream_t stream);

 private:
  struct destroy {
    void operator()(cudaMemPool_t pool) const { static_cast<void>(cudaMemPoolDestroy(pool)); }
  };
  std::unique_ptr<CUmemPoolHandle_st, destroy> handle_;
};

fresh_pool::fresh_pool() {
  cudaMemPoolProps how{};
  how.allocType = cudaMemAllocationTypePinned;
  how.location.type = cudaMemLocationTypeDevice;
  gpu::check(cudaGetDevice(&how.location.id), "cudaGetDevice");
  cudaMemPool_t pool = nullptr;
  gpu::check(cudaMemPoolCreate(&pool, &how), "cudaMemPoolCreate");
  handle_.reset(pool);
  std::uint64_t kept = std::numeric_limits<std::uint64_t>::max();
  gpu::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
             "cudaMemPoolSetAttribute");
}

std::span<float> fresh_pool::allocate(std::size_t elements, cudaStream_t stream) const {
  void* at = nullptr;
  const auto bytes = std::max<std::size_t>(elements, 1) * sizeof(float);
  gpu::check(cudaMallocFromPoolAsync(&at, bytes, handle_.get(), stream), "cudaMallocFromPoolAsync");
  return {static_cast<float*>(at), elements};
}

void fresh_pool::release(std::span<float> elements, cudaStream_t stream) {
  gpu::check(cudaFreeAsync(elements.data(), stream), "cudaFreeAsync");
}

void wait_for(cudaStream_t queue) { gpu::check(cudaStreamSynchronize(queue), "cudaStreamSynchronize"); }

template <class Step>
void timed(call& c, observable timing, Step step) {
  const auto from = c.now();
  step();
  c.observe(timing, from, c.now());
}

// A launch returns as soon as the kernel is enqueued.
void without_waiting(workload& w, call& c) {
  const stream queue = c.queue();
  timed(c, naive, [&] { launch_halving(w.data, w.result, queue); });
  wait_for(queue);
  timed(c, right, [&] {
    launch_halving(w.data, w.result, queue);
    wait_for(queue);
  });
}

void keep(workload& w, std::span<const float> halves, stream queue) {
  if (halves.empty()) return;
  gpu::check(
      cudaMemcpyAsync(w.result.data(), halves.data(), halves.size_bytes(), cudaMemcpyDeviceToDevice, queue),
      "cudaMemcpyAsync of the result");
}

// The first step into a new buffer makes the allocator map memory; later ones get the same memory again.
void from_cold(workload& w, call& c) {
  const stream queue = c.queue();
  const fresh_pool pool;
  for (const observable timing : {naive, right}) {
    std::span<float> buffer;
    timed(c, timing, [&] {
      buffer = pool.allocate(w.data.size(), queue);
      launch_halving(w.data, buffer, queue);
      wait_for(queue);
    });
    keep(w, buffer, queue);
    fresh_pool::release(buffer, queue);
    wait_for(queue);
  }
}

// A loop over one small buffer finds it in the second-level cache; a caller whose data comes from memory does
// not.
void from_cache(workload& w, call& c) {
  const stream queue = c.queue();
  timed(c, naive, [&] {
    launch_halving_in_slices(w.data, w.result, visits::one_slice_again_and_again, queue);
    wait_for(queue);
  });
  timed(c, right, [&] {
    launch_halving_in_slices(w.data, w.result, visits::every_slice_once, queue);
    wait_for(queue);
  });
}

// Zeros as indices all name the same element, which is in every cache.
void from_one_slot(workload& w, call& c) {
  const stream queue = c.queue();
  timed(c, naive, [&] {
    launch_look_up(w.data, w.misleading, w.result, queue);
    wait_for(queue);
  });
  timed(c, right, [&] {
    launch_look_up(w.data, w.data, w.result, queue);
    wait_for(queue);
  });
}

struct form {
  std::string_view name;
  void (*run)(workload&, call&);
};
constexpr form forms[] = {{"no_synchronize", without_waiting},
                          {"cold_start", from_cold},
                          {"warm_cache", from_cache},
                          {"zero_indices", from_one_slot}};

// What was enqueued before the call is not part of either time.
auto both_ways(workload& w, setup&) {
  const auto* shown = std::ranges::find(forms, w.shown->name, &form::name);
  if (shown == std::end(forms)) {
    throw unavailable("pitfall " + w.shown->name + " on CUDA", "it is a mistake of timing a CPU");
  }
  return [run = shown->run](workload& own, call& c) {
    wait_for(c.queue());
    run(own, c);
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
