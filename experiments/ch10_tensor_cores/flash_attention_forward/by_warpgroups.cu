// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>
#include <ridge/kernels/attention_products.cuh>
#include <ridge/kernels/online_softmax.cuh>

#include "maps.hpp"

namespace ridge::experiments::ch10_flash_attention_forward {
namespace {

// Two warpgroups of 64 queries each. Blocks of keys and values have two places each: one is filled while the
// other is used.
constexpr unsigned threads = 256, consumers = 2, keys = 128, stages = 2;

template <unsigned Width>
struct places {
  static constexpr unsigned boxes = Width / 64, group_bytes = boxes * 64 * 128;
  static constexpr unsigned block_bytes = boxes * keys * 128;
  static constexpr unsigned barriers_at = consumers * group_bytes + stages * 2 * block_bytes;
  static constexpr unsigned shared_bytes = barriers_at + 8 * (stages + 1) + 1024;
  std::uint32_t base;
  __device__ std::uint32_t queries(unsigned group) const { return base + group * group_bytes; }
  __device__ std::uint32_t keys_of(unsigned stage) const {
    return base + consumers * group_bytes + stage * 2 * block_bytes;
  }
  __device__ std::uint32_t values_of(unsigned stage) const { return keys_of(stage) + block_bytes; }
  __device__ std::uint32_t full(unsigned stage) const { return base + barriers_at + 8 * stage; }
  __device__ std::uint32_t queries_full() const { return full(stages); }
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

template <unsigned Width>
__device__ void copy_block(const kernels::attention_maps& maps, places<Width> at, unsigned stage, int column,
                           int block) {
  gpu::ptx::mbarrier_arrive_expect_tx(at.full(stage), 2 * places<Width>::block_bytes);
  for (unsigned box = 0; box < Width / 64; ++box) {
    const int x = column + static_cast<int>(64 * box), y = block * static_cast<int>(keys);
    const unsigned offset = box * keys * 128;
    gpu::ptx::cp_async_bulk_tensor_2d_shared_global(at.keys_of(stage) + offset, &maps.k, x, y,
                                                    at.full(stage));
    gpu::ptx::cp_async_bulk_tensor_2d_shared_global(at.values_of(stage) + offset, &maps.v, x, y,
                                                    at.full(stage));
  }
}

template <unsigned Width>
__device__ void copy_queries(const kernels::attention_maps& maps, places<Width> at, int head, int first_row) {
  gpu::ptx::mbarrier_arrive_expect_tx(at.queries_full(), consumers * places<Width>::group_bytes);
  for (unsigned group = 0; group < consumers; ++group) {
    for (unsigned box = 0; box < Width / 64; ++box)
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(
          at.queries(group) + box * 64 * 128, &maps.q,
          head * static_cast<int>(Width) + static_cast<int>(64 * box),
          first_row + static_cast<int>(64 * group), at.queries_full());
  }
}

#endif

// A block makes one tile of 128 queries of one head.
template <unsigned Width, bool Causal>
__global__ void __launch_bounds__(threads, 1)
    attention_by_warpgroups([[maybe_unused]] const __grid_constant__ kernels::attention_maps maps,
                            [[maybe_unused]] const __grid_constant__ kernels::attention_size size) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ unsigned char shared[];
  const places<Width> at{(gpu::ptx::shared_address(shared) + 1023) & ~1023U};
  const int place = static_cast<int>(blockIdx.x) / size.heads,
            head = static_cast<int>(blockIdx.x) % size.heads;
  const int tile = Causal ? size.query_tiles - 1 - place : place;  // the longest first
  const int first_row = tile * 128, column = head / size.group * static_cast<int>(Width);
  const int blocks = ((Causal ? min(first_row + 128, size.tokens) : size.tokens) + 127) / 128;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i <= stages; ++i) gpu::ptx::mbarrier_init(at.full(i), 1);
    gpu::ptx::fence_mbarrier_init_release_cluster();
    copy_queries(maps, at, head, first_row);
    copy_block(maps, at, 0, column, blocks - 1);
  }
  __syncthreads();
  const unsigned group = threadIdx.x / 128;
  const int row = first_row + static_cast<int>(threadIdx.x / 32 * 16);  // the warp's first
  kernels::online_softmax softmax(size.scale);
  float sums[Width / 2], scores[keys / 2];
  std::uint32_t weights[keys / 16][4];
#pragma unroll
  for (float& sum : sums) sum = 0;
  gpu::ptx::mbarrier_wait_parity(at.queries_full(), 0);
  for (int step = 0; step < blocks; ++step) {
    const int block = blocks - 1 - step;
    const unsigned stage = static_cast<unsigned>(step) % stages;
    if (threadIdx.x == 0 && block > 0) copy_block(maps, at, 1 - stage, column, block - 1);
    gpu::ptx::mbarrier_wait_parity(at.full(stage), static_cast<unsigned>(step) / stages & 1U);
    gpu::ptx::wgmma_keep_order(scores);
    kernels::multiply_keys<Width, keys>(scores, at.queries(group), at.keys_of(stage));
    gpu::ptx::wgmma_wait_group<0>();
    gpu::ptx::wgmma_keep_order(scores);
    if (step == 0) kernels::hide_unseen<Causal>(scores, block * static_cast<int>(keys), row, size.tokens);
    softmax.take(scores);
    softmax.rescale(sums);
    kernels::to_operand(scores, weights);
    gpu::ptx::wgmma_keep_order(sums);
    kernels::multiply_values<keys>(sums, weights, at.values_of(stage));
    gpu::ptx::wgmma_wait_group<0>();
    gpu::ptx::wgmma_keep_order(sums);
    __syncthreads();  // the place may be filled again
  }
  const float factors[2] = {softmax.reciprocal(0), softmax.reciprocal(1)};
  kernels::store_rows(sums, factors, at.queries(group));
  gpu::ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned box = 0; box < consumers * places<Width>::boxes; ++box)
    gpu::ptx::cp_async_bulk_tensor_2d_global_shared(
        &maps.o, head * static_cast<int>(Width) + static_cast<int>(64 * (box % places<Width>::boxes)),
        first_row + static_cast<int>(64 * (box / places<Width>::boxes)), at.queries(0) + box * 64 * 128);
  gpu::ptx::cp_async_bulk_commit_group();
  gpu::ptx::cp_async_bulk_wait_group_read<0>();
#endif
}

template <unsigned Width, bool Causal>
void launch(const workload& w, stream queue) {
  constexpr auto kernel = attention_by_warpgroups<Width, Causal>;
  const auto size = kernel_size(w, consumers * 64);
  gpu::allow_dynamic_shared_memory(kernel, places<Width>::shared_bytes);
  const auto blocks = static_cast<unsigned>(size.query_tiles * size.heads);
  gpu::launch(kernel, {blocks, threads, places<Width>::shared_bytes, queue}, maps_of(w, keys), size);
}

}  // namespace

void launch_by_warpgroups(const workload& w, stream queue) {
  if (w.o.empty()) return;
  if (w.size.width == 64) {
    w.size.causal ? launch<64, true>(w, queue) : launch<64, false>(w, queue);
  } else {
    w.size.causal ? launch<128, true>(w, queue) : launch<128, false>(w, queue);
  }
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
