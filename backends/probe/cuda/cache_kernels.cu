// SPDX-License-Identifier: Apache-2.0
#include "cache_kernels.cuh"

#include <ridge/gpu/check.hpp>

#include "stream_access.cuh"

namespace ridge::backends::probe_cuda {
namespace {

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, (Vectors > 4 ? 1024 : 2048) / Threads)
    read_again(const uint4* from, unsigned pieces, unsigned count, std::uint32_t* sums) {
  std::uint32_t sum = 0;
  auto at = static_cast<unsigned>(std::uint64_t{blockIdx.x} * pieces / gridDim.x);
  for (unsigned left = count; left > 0; --left) {
    const auto* piece = from + at * std::size_t{Threads} * Vectors + threadIdx.x;
    uint4 held[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; ++k) held[k] = Access::load(piece + k * Threads);
#pragma unroll
    for (int k = 0; k < Vectors; ++k) sum += sum_of(held[k]);
    at = at + 1 < pieces ? at + 1 : 0;
  }
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (threadIdx.x % 32 == 0) sums[blockIdx.x * (Threads / 32) + threadIdx.x / 32] = sum;
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, (Vectors > 4 ? 1024 : 2048) / Threads)
    write_again(uint4* to, unsigned pieces, unsigned count) {
  uint4 value;
  written(threadIdx.x, value);
  unsigned at = blockIdx.x % pieces;
  for (unsigned left = count; left > 0; --left) {
    auto* piece = to + at * std::size_t{Threads} * Vectors + threadIdx.x;
#pragma unroll
    for (int k = 0; k < Vectors; ++k) Access::store(piece + k * Threads, value);
    at = (at + gridDim.x) % pieces;
  }
}

unsigned blocks_of(const cache_variant& v, int processors) {
  return static_cast<unsigned>(processors) * v.blocks_a_processor;
}

template <class Access, int Threads, int Vectors>
void read(const cache_variant& v, uint4* array, unsigned pieces, unsigned count, std::uint32_t* sums,
          int processors, cudaStream_t on) {
  read_again<Access, Threads, Vectors>
      <<<blocks_of(v, processors), Threads, 0, on>>>(array, pieces, count, sums);
  gpu::check_launch("read_again");
}

template <class Access, int Threads, int Vectors>
void write(const cache_variant& v, uint4* array, unsigned pieces, unsigned count, std::uint32_t*,
           int processors, cudaStream_t on) {
  write_again<Access, Threads, Vectors><<<blocks_of(v, processors), Threads, 0, on>>>(array, pieces, count);
  gpu::check_launch("write_again");
}

constexpr cache_variant reads[] = {
    {"cg 512 x 8, 2 blocks/SM", 512, 8, 2, read<in_l2, 512, 8>},
    {"cg 512 x 4, 4 blocks/SM", 512, 4, 4, read<in_l2, 512, 4>},
    {"cg 1024 x 4, 2 blocks/SM", 1024, 4, 2, read<in_l2, 1024, 4>},
    {"nc.no_allocate 512 x 8, 2 blocks/SM", 512, 8, 2, read<no_allocate, 512, 8>},
    {"cg 256 x 4, 4 blocks/SM", 256, 4, 4, read<in_l2, 256, 4>},
    {"cg 256 x 4, 8 blocks/SM", 256, 4, 8, read<in_l2, 256, 4>},
};

constexpr cache_variant writes[] = {
    {"default 512 x 4, 2 blocks/SM", 512, 4, 2, write<by_default, 512, 4>},
    {"default 256 x 4, 4 blocks/SM", 256, 4, 4, write<by_default, 256, 4>},
    {"default 512 x 4, 4 blocks/SM", 512, 4, 4, write<by_default, 512, 4>},
    {"cg 512 x 4, 2 blocks/SM", 512, 4, 2, write<in_l2, 512, 4>},
};

}  // namespace

std::span<const cache_variant> cache_reads() { return reads; }
std::span<const cache_variant> cache_writes() { return writes; }

}  // namespace ridge::backends::probe_cuda
