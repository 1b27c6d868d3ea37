// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>

#include "consumer.cuh"

namespace ridge::experiments::ch10_megakernel_decode {
namespace {

// The whole step. A block's threads are sixteen warps that multiply and one whose first thread fills the
// ring.
__global__ void __launch_bounds__(block_threads, 1) decode_step([[maybe_unused]] step s) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) std::byte bytes[];
  auto& shared = *reinterpret_cast<block_places*>(bytes);
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < slots; ++i) {
      gpu::ptx::mbarrier_init(gpu::ptx::shared_address(&shared.filled[i]), 1);
      gpu::ptx::mbarrier_init(gpu::ptx::shared_address(&shared.freed[i]), warps);
    }
    gpu::ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (threadIdx.x >= consumers) {
    if (threadIdx.x == consumers) producer(shared, s).run();
    __syncwarp();
  } else {
    consumer(shared, s).run();
  }
  // The words keep what they hold; who comes last counts the layers, from which the next step knows their
  // tags.
  if (gpu::last_to_finish(&s.words->finished) && threadIdx.x == 0) s.words->layers_done += s.layers;
#endif
}

}  // namespace

void launch_persistent(const workload& w, scratch own, stream queue) {
  const auto pointer = [](input<bf16> matrix) { return reinterpret_cast<const std::byte*>(matrix.data()); };
  const auto context = as_unsigned(w.size.context);
  const step s{.layers = as_unsigned(w.size.layers),
               .context = context,
               .vocabulary = as_unsigned(w.size.vocabulary),
               .splits = std::min(splits_of(context, keys_of_split), gpu::multiprocessors() / kv_heads),
               .embedding = pointer(w.embedding),
               .norms = pointer(w.norms),
               .qkv = pointer(w.qkv),
               .projection = pointer(w.projection),
               .gate_up = pointer(w.gate_up),
               .down = pointer(w.down),
               .head = pointer(w.head),
               .cache = pointer(w.cache),
               .logits = w.logits.data(),
               .appended = reinterpret_cast<std::uint16_t*>(w.appended.data()),
               .words = reinterpret_cast<stage_words*>(own.data())};
  gpu::allow_dynamic_shared_memory(decode_step, sizeof(block_places));
  auto launch = gpu::kernel_launch(gpu::multiprocessors(), block_threads, queue, sizeof(block_places));
  launch.cooperative();
  gpu::check(cudaLaunchKernelEx(launch.config(), decode_step, s), "cudaLaunchKernelEx of decode_step");
}

}  // namespace ridge::experiments::ch10_megakernel_decode
