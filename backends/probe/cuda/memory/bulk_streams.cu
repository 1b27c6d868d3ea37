// SPDX-License-Identifier: Apache-2.0
// Kernels that stream through device memory by the bulk copy engine of compute capability 9.0 (cp.async.bulk;
// PTX ISA 8.0). A block has a ring of `vectors` stages of `vector_bytes` each in shared memory.
#include "memory/stream_kernels.cuh"

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bulk_copy.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "memory/stream_access.cuh"
#include "memory/stream_sums.cuh"

namespace ridge::backends::probe_cuda {
namespace {

#if __CUDA_ARCH__ >= 900

constexpr int tries_of_a_wait = 1 << 16;  // the hardware suspends each for some microseconds
constexpr int most_stages = 16;

struct ring {
  std::uint32_t tiles;  // in shared memory
  std::uint32_t full;   // mbarriers, one per stage
  unsigned stages, tile_bytes;
  __device__ std::uint32_t tile(unsigned i) const { return tiles + i % stages * tile_bytes; }
  __device__ std::uint32_t barrier(unsigned i) const { return full + i % stages * 8; }
};

__device__ void make_barriers(const ring& pipeline) {
  for (unsigned i = 0; i < pipeline.stages; ++i) gpu::ptx::mbarrier_init(pipeline.barrier(i), 1);
  gpu::ptx::fence_mbarrier_init_release_cluster();
  gpu::ptx::fence_proxy_async();
}

__device__ void load_tile(const ring& pipeline, unsigned i, const char* source) {
  gpu::ptx::mbarrier_arrive_expect_tx(pipeline.barrier(i), pipeline.tile_bytes);
  gpu::ptx::cp_async_bulk_shared_global(pipeline.tile(i), source, pipeline.tile_bytes, pipeline.barrier(i));
}

// Waits for tile `i`; returns false where it has not arrived within seconds.
__device__ bool wait_for_tile(const ring& pipeline, unsigned i) {
  const unsigned parity = i / pipeline.stages & 1;
  for (int k = 0; k < tries_of_a_wait; ++k)
    if (gpu::ptx::mbarrier_try_wait_parity(pipeline.barrier(i), parity)) return true;
  return false;
}

__device__ void store_tile(char* target, std::uint32_t source, unsigned bytes) {
  gpu::ptx::cp_async_bulk_global_shared(target, source, bytes);
  gpu::ptx::cp_async_bulk_commit_group();
}

// The tiles of this block: `each` consecutive ones, or blockIdx, blockIdx + gridDim, ... where `each` is 0.
struct share {
  unsigned first, step, count;
  __device__ share(unsigned all, unsigned each)
      : first(blockIdx.x * (each > 0 ? each : 1)), step(each > 0 ? 1 : gridDim.x), count(0) {
    if (first >= all) return;
    const unsigned left = all - first;
    count = each > 0 ? (each < left ? each : left) : (left + gridDim.x - 1) / gridDim.x;
  }
  __device__ std::size_t offset(unsigned i, unsigned tile_bytes) const {
    return (first + std::size_t{i} * step) * tile_bytes;
  }
};

#endif

__global__ void __launch_bounds__(256)
    bulk_read_kernel(stream_arrays arrays, unsigned stages, unsigned tile_bytes, unsigned each) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char tiles[];
  __shared__ __align__(8) std::uint64_t barriers[most_stages];
  const ring stage{gpu::ptx::shared_address(tiles), gpu::ptx::shared_address(barriers), stages, tile_bytes};
  const auto* from = reinterpret_cast<const char*>(arrays.a);
  const share own(static_cast<unsigned>(arrays.bytes / tile_bytes), each);
  if (threadIdx.x == 0) {
    make_barriers(stage);
    for (unsigned i = 0; i < stages && i < own.count; ++i)
      load_tile(stage, i, from + own.offset(i, tile_bytes));
  }
  __syncthreads();
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < own.count; ++i) {
    const bool came = wait_for_tile(stage, i);
    const auto* tile = reinterpret_cast<const uint4*>(tiles + i % stages * tile_bytes);
    for (unsigned k = threadIdx.x; k < tile_bytes / sizeof(uint4); k += blockDim.x) sum += sum_of(tile[k]);
    if (__syncthreads_or(!came)) return;
    if (threadIdx.x == 0 && i + stages < own.count)
      load_tile(stage, i + stages, from + own.offset(i + stages, tile_bytes));
  }
  add_of_block(sum, arrays.sums);
#endif
}

// Copies by one thread, which only begins the transfers.
__global__ void __launch_bounds__(32)
    bulk_copy_kernel(stream_arrays arrays, unsigned stages, unsigned tile_bytes, unsigned each) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char tiles[];
  __shared__ __align__(8) std::uint64_t barriers[most_stages];
  if (threadIdx.x != 0) return;
  const ring stage{gpu::ptx::shared_address(tiles), gpu::ptx::shared_address(barriers), stages, tile_bytes};
  const auto* from = reinterpret_cast<const char*>(arrays.a);
  auto* to = reinterpret_cast<char*>(arrays.target);
  const share own(static_cast<unsigned>(arrays.bytes / tile_bytes), each);
  make_barriers(stage);
  for (unsigned i = 0; i < stages && i < own.count; ++i)
    load_tile(stage, i, from + own.offset(i, tile_bytes));
  for (unsigned i = 0; i < own.count && wait_for_tile(stage, i); ++i) {
    store_tile(to + own.offset(i, tile_bytes), stage.tile(i), tile_bytes);
    gpu::ptx::cp_async_bulk_wait_group_read<1>();  // tile i - 1 has been read, and its stage is loaded next
    if (i > 0 && i - 1 + stages < own.count)
      load_tile(stage, i - 1 + stages, from + own.offset(i - 1 + stages, tile_bytes));
  }
  gpu::ptx::cp_async_bulk_wait_group<0>();
#endif
}

__global__ void __launch_bounds__(256)
    bulk_write_kernel(stream_arrays arrays, unsigned, unsigned tile_bytes, unsigned each) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char tiles[];
  for (unsigned k = threadIdx.x; k < tile_bytes / sizeof(uint4); k += blockDim.x)
    written(k, reinterpret_cast<uint4*>(tiles)[k]);
  gpu::ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  const share own(static_cast<unsigned>(arrays.bytes / tile_bytes), each);
  for (unsigned i = 0; i < own.count; ++i) {
    store_tile(reinterpret_cast<char*>(arrays.target) + own.offset(i, tile_bytes),
               gpu::ptx::shared_address(tiles), tile_bytes);
    gpu::ptx::cp_async_bulk_wait_group_read<4>();
  }
  gpu::ptx::cp_async_bulk_wait_group<0>();
#endif
}

using bulk_kernel = void(stream_arrays, unsigned, unsigned, unsigned);

template <bulk_kernel* Kernel>
void launch(const stream_variant& v, const stream_arrays& arrays, int processors, cudaStream_t stream) {
  const unsigned shared_bytes = v.vectors * v.vector_bytes;
  gpu::allow_dynamic_shared_memory(Kernel, shared_bytes);
  const auto tiles = static_cast<unsigned>(arrays.bytes / v.vector_bytes);
  const bool in_a_row = v.order == walk::many;
  const unsigned blocks =
      in_a_row ? gpu::blocks_for(tiles, v.count) : static_cast<unsigned>(processors) * v.count;
  gpu::launch(Kernel, {blocks, v.threads, shared_bytes, stream}, arrays, v.vectors, v.vector_bytes,
              in_a_row ? v.count : 0);
}

using enum walk;

constexpr stream_variant reads[] = {
    {"cp.async.bulk", 9, 256, 6, 32768, interleaved, 1, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 3, 32768, many, 32, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 3, 65536, interleaved, 1, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 6, 16384, many, 64, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 3, 32768, interleaved, 2, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 6, 8192, many, 32, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 3, 65536, many, 32, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 8, 16384, interleaved, 1, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 6, 16384, interleaved, 2, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 256, 4, 16384, interleaved, 3, launch<bulk_read_kernel>},
    {"cp.async.bulk", 9, 128, 8, 8192, interleaved, 3, launch<bulk_read_kernel>},
};
constexpr stream_variant writes[] = {
    {"cp.async.bulk", 9, 256, 1, 16384, interleaved, 2, launch<bulk_write_kernel>},
    {"cp.async.bulk", 9, 256, 1, 32768, interleaved, 1, launch<bulk_write_kernel>},
    {"cp.async.bulk", 9, 256, 1, 8192, interleaved, 8, launch<bulk_write_kernel>},
    {"cp.async.bulk", 9, 256, 1, 16384, many, 4, launch<bulk_write_kernel>},
};
constexpr stream_variant copies[] = {
    {"cp.async.bulk", 9, 32, 6, 32768, interleaved, 1, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 3, 65536, interleaved, 1, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 3, 32768, many, 16, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 2, 16384, many, 2, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 1, 32768, many, 1, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 6, 16384, interleaved, 2, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 8, 16384, interleaved, 1, launch<bulk_copy_kernel>},
    {"cp.async.bulk", 9, 32, 4, 8192, interleaved, 4, launch<bulk_copy_kernel>},
};

}  // namespace

std::span<const stream_variant> bulk_variants_of(traffic kind) {
  switch (kind) {
    case traffic::read:
      return reads;
    case traffic::write:
      return writes;
    case traffic::copy:
      return copies;
    case traffic::triad:
      break;
  }
  return {};
}

}  // namespace ridge::backends::probe_cuda
