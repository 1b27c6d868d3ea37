// SPDX-License-Identifier: Apache-2.0
#include "memory/cache_kernels.cuh"

#include <algorithm>
#include <numeric>

#include <ridge/gpu/launch.cuh>

#include "memory/stream_access.cuh"
#include "memory/stream_sums.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// The walk of a block: pieces first, first + step, ..., reduced by `length` from `end` on.
struct lap {
  unsigned first, step, end, length;
  __device__ unsigned after(unsigned piece) const {
    piece += step;
    return piece < end ? piece : piece - length;
  }
};

__device__ lap lap_of(cache_walk order, unsigned pieces) {
  if (order == cache_walk::together) return {blockIdx.x % pieces, gridDim.x % pieces, pieces, pieces};
  if (order == cache_walk::running)
    return {static_cast<unsigned>(std::uint64_t{blockIdx.x} * pieces / gridDim.x), 1, pieces, pieces};
  const unsigned each = pieces / gridDim.x;
  return {blockIdx.x * each, 1, (blockIdx.x + 1) * each, each};
}

// Reads `count` pieces. Each thread has `Vectors` loads of `Parts` pieces in flight at once.
template <class Access, int Threads, int Vectors, int Parts>
__global__ void __launch_bounds__(Threads, (Vectors > 8   ? 512
                                            : Vectors > 4 ? 1024
                                                          : 2048) /
                                               Threads)
    read_again(const uint4* source, cache_walk order, unsigned pieces, unsigned count, std::uint32_t* sums) {
  constexpr int each = Vectors / Parts;
  const lap way = lap_of(order, pieces);
  std::uint32_t sum = 0;
  unsigned at = way.first;
  for (unsigned left = count; left > 0; left -= Parts) {
    uint4 held[Vectors];
#pragma unroll
    for (int p = 0; p < Parts; ++p) {
      const auto* piece = source + at * std::size_t{Threads} * each + threadIdx.x;
#pragma unroll
      for (int k = 0; k < each; ++k) held[p * each + k] = Access::load(piece + k * Threads);
      at = way.after(at);
    }
#pragma unroll
    for (int k = 0; k < Vectors; ++k) sum += sum_of(held[k]);
  }
  add_of_block(sum, sums);
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, (Vectors > 4 ? 1024 : 2048) / Threads)
    write_again(uint4* target, unsigned pieces, unsigned count) {
  uint4 value;
  written(threadIdx.x, value);
  unsigned at = blockIdx.x % pieces;
  for (unsigned left = count; left > 0; --left) {
    auto* piece = target + at * std::size_t{Threads} * Vectors + threadIdx.x;
#pragma unroll
    for (int k = 0; k < Vectors; ++k) Access::store(piece + k * Threads, value);
    at = (at + gridDim.x) % pieces;
  }
}

template <class Access, int Threads, int Vectors, int Parts>
void read(const cache_variant& v, uint4* array, unsigned pieces, unsigned count, std::uint32_t* sums,
          int processors, cudaStream_t stream) {
  gpu::launch(read_again<Access, Threads, Vectors, Parts>, {blocks_of(v, processors), Threads, 0, stream},
              array, v.order, pieces, count, sums);
}

template <class Access, int Threads, int Vectors>
void write(const cache_variant& v, uint4* array, unsigned pieces, unsigned count, std::uint32_t*,
           int processors, cudaStream_t stream) {
  gpu::launch(write_again<Access, Threads, Vectors>, {blocks_of(v, processors), Threads, 0, stream}, array,
              pieces, count);
}

constexpr cache_variant reads[] = {
    {"cg 512 x 8, 2 blocks/SM, pieces of 64 KiB one after the other", 512, 8, 1, 2, cache_walk::running,
     read<in_l2, 512, 8, 1>},
    {"cg 1024 x 4, 2 blocks/SM, pieces of 64 KiB one after the other", 1024, 4, 1, 2, cache_walk::running,
     read<in_l2, 1024, 4, 1>},
    {"cg 256 x 8, 4 blocks/SM, pieces of 4 KiB in step", 256, 8, 8, 4, cache_walk::together,
     read<in_l2, 256, 8, 8>},
    {"cg 256 x 16, 2 blocks/SM, pieces of 4 KiB in step", 256, 16, 16, 2, cache_walk::together,
     read<in_l2, 256, 16, 16>},
    {"cg 512 x 8, 2 blocks/SM, pieces of 64 KiB in step", 512, 8, 1, 2, cache_walk::together,
     read<in_l2, 512, 8, 1>},
    {"cg 1024 x 8, 1 blocks/SM, pieces of 64 KiB in step", 1024, 8, 2, 1, cache_walk::together,
     read<in_l2, 1024, 8, 2>},
    {"cg 512 x 4, 4 blocks/SM, pieces of 8 KiB in step", 512, 4, 4, 4, cache_walk::together,
     read<in_l2, 512, 4, 4>},
    {"cg 512 x 2, 4 blocks/SM, pieces of 16 KiB in step", 512, 2, 1, 4, cache_walk::together,
     read<in_l2, 512, 2, 1>},
    {"cg 256 x 4, 8 blocks/SM, pieces of 4 KiB in step", 256, 4, 4, 8, cache_walk::together,
     read<in_l2, 256, 4, 4>},
    {"cg 512 x 8, 2 blocks/SM, pieces of 64 KiB each its own", 512, 8, 1, 2, cache_walk::own,
     read<in_l2, 512, 8, 1>},
    {"nc.no_allocate 512 x 8, 2 blocks/SM, pieces of 8 KiB in step", 512, 8, 8, 2, cache_walk::together,
     read<no_allocate, 512, 8, 8>},
};

constexpr cache_variant writes[] = {
    {"default 512 x 4, 2 blocks/SM", 512, 4, 1, 2, cache_walk::together, write<by_default, 512, 4>},
    {"default 256 x 4, 4 blocks/SM", 256, 4, 1, 4, cache_walk::together, write<by_default, 256, 4>},
    {"default 512 x 4, 4 blocks/SM", 512, 4, 1, 4, cache_walk::together, write<by_default, 512, 4>},
    {"cg 512 x 4, 2 blocks/SM", 512, 4, 1, 2, cache_walk::together, write<in_l2, 512, 4>},
};

}  // namespace

unsigned blocks_of(const cache_variant& v, int processors) {
  return static_cast<unsigned>(processors) * v.blocks_per_processor;
}

unsigned pieces_in(const cache_variant& v, std::size_t bytes, int processors) {
  const unsigned blocks = blocks_of(v, processors);
  auto pieces = std::max(1u, static_cast<unsigned>(bytes / v.piece_bytes()));
  if (v.order == cache_walk::own) return std::max(1u, pieces / blocks) * blocks;
  if (v.order == cache_walk::together)
    while (std::gcd(pieces, blocks) > 1) --pieces;
  return pieces;
}

std::span<const cache_variant> cache_reads() { return reads; }
std::span<const cache_variant> cache_writes() { return writes; }

}  // namespace ridge::backends::probe_cuda
