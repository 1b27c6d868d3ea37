// SPDX-License-Identifier: Apache-2.0
#include "shared_memory/bulk_kernels.hpp"

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "synchronization/mbarrier.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 32, copies_per_round = 64;

#if __CUDA_ARCH__ >= 900

// A ring of stages in shared memory with an mbarrier each; the oldest stage is waited for and filled again.
class ring {
 public:
  __device__ ring(unsigned data, unsigned barriers, unsigned stages, unsigned bytes)
      : data_(data), barriers_(barriers), stages_(stages), bytes_(bytes) {}
  __device__ bool refill(const std::byte* source) {
    if (filled_ && !wait_for(barriers_ + 8 * stage_, parity_)) return false;
    gpu::ptx::mbarrier_arrive_expect_tx(barriers_ + 8 * stage_, bytes_);
    gpu::ptx::cp_async_bulk_shared_global(data_ + stage_ * bytes_, source, bytes_, barriers_ + 8 * stage_);
    next();
    return true;
  }
  __device__ bool drain() {
    for (unsigned i = 0; i < stages_; ++i) {
      if (filled_ && !wait_for(barriers_ + 8 * stage_, parity_)) return false;
      next();
    }
    return true;
  }

 private:
  __device__ void next() {
    if (++stage_ < stages_) return;
    stage_ = 0;
    if (filled_) parity_ ^= 1;
    filled_ = true;
  }
  unsigned data_, barriers_, stages_, bytes_, stage_ = 0, parity_ = 0;
  bool filled_ = false;  // whether every stage has been filled once
};

#endif

// A round fills every stage at least once: copies_per_round is more than most_stages.
__global__ void __launch_bounds__(threads)
    bulk_kernel([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                [[maybe_unused]] int rounds, [[maybe_unused]] const std::byte* source,
                [[maybe_unused]] unsigned pieces, [[maybe_unused]] unsigned stages,
                [[maybe_unused]] unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) std::byte held[];
  __shared__ alignas(8) std::uint64_t barriers[most_stages];
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < stages; ++i) gpu::ptx::mbarrier_init(gpu::ptx::shared_address(barriers + i), 1);
  gpu::ptx::fence_mbarrier_init_release_cluster();
  gpu::ptx::fence_proxy_async_shared_cta();
  ring copies(gpu::ptx::shared_address(held), gpu::ptx::shared_address(barriers), stages, bytes);
  unsigned piece = blockIdx.x % pieces;
  bool well = true;
  const span_clock clock;
  for (int r = 0; r < rounds && well; ++r) {
    for (unsigned i = 0; i < copies_per_round && well; ++i) {
      well = copies.refill(source + std::size_t{piece} * bytes);
      piece += gridDim.x;
      if (piece >= pieces) piece %= pieces;
    }
  }
  well = well && copies.drain();
  results[blockIdx.x] = static_cast<float>(std::to_integer<unsigned>(held[0]) +
                                           256 * std::to_integer<unsigned>(held[stages * bytes - 1]));
  if (well) clock.end(spans);
#endif
}

double run(const kernel_call& call, const void* source, unsigned pieces, const bulk_shape& shape,
           unsigned blocks) {
  const unsigned shared = static_cast<unsigned>(shape.stages) * shape.bytes;
  gpu::allow_dynamic_shared_memory(bulk_kernel, shared);
  gpu::launch(bulk_kernel, {blocks, threads, shared}, call.results, call.spans, call.rounds,
              static_cast<const std::byte*>(source), pieces, static_cast<unsigned>(shape.stages),
              shape.bytes);
  return double{copies_per_round} * blocks * call.rounds;
}

}  // namespace

double read_in_bulk(const kernel_call& call, const void* source, std::size_t bytes, const bulk_shape& shape) {
  const auto blocks = static_cast<unsigned>(call.processors * shape.blocks_per_processor);
  return shape.bytes * run(call, source, static_cast<unsigned>(bytes / shape.bytes), shape, blocks);
}

double copy_one_after_another(const kernel_call& call, const void* source, unsigned bytes) {
  return run(call, source, 1, {"one", 1, bytes, 1}, 1);
}

}  // namespace ridge::backends::probe_cuda
