// SPDX-License-Identifier: Apache-2.0
#include "memory/stream_kernels.cuh"

#include <algorithm>

#include <ridge/gpu/launch.cuh>

#include "memory/stream_access.cuh"
#include "memory/stream_loop.cuh"

namespace ridge::backends::probe_cuda {
namespace {

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    write_kernel(stream_arrays arrays, route way) {
  using vector = typename Access::vector;
  auto* to = reinterpret_cast<vector*>(arrays.target) + threadIdx.x;
  vector value;
  written(threadIdx.x, value);
  for_pieces<std::size_t{Threads} * Vectors>(way, [&](std::size_t first) {
#pragma unroll
    for (int k = 0; k < Vectors; ++k) Access::store(to + first + k * Threads, value);
  });
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    copy_kernel(stream_arrays arrays, route way) {
  using vector = typename Access::vector;
  const auto* from = reinterpret_cast<const vector*>(arrays.a) + threadIdx.x;
  auto* to = reinterpret_cast<vector*>(arrays.target) + threadIdx.x;
  for_pieces<std::size_t{Threads} * Vectors>(way, [&](std::size_t first) {
    vector held[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; ++k) held[k] = Access::load(from + first + k * Threads);
#pragma unroll
    for (int k = 0; k < Vectors; ++k) Access::store(to + first + k * Threads, held[k]);
  });
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    triad_kernel(stream_arrays arrays, route way) {
  using vector = typename Access::vector;
  const auto* a = reinterpret_cast<const vector*>(arrays.a) + threadIdx.x;
  const auto* b = reinterpret_cast<const vector*>(arrays.b) + threadIdx.x;
  auto* to = reinterpret_cast<vector*>(arrays.target) + threadIdx.x;
  for_pieces<std::size_t{Threads} * Vectors>(way, [&](std::size_t first) {
    vector held[Vectors], other[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; ++k) {
      held[k] = Access::load(a + first + k * Threads);
      other[k] = Access::load(b + first + k * Threads);
    }
#pragma unroll
    for (int k = 0; k < Vectors; ++k)
      Access::store(to + first + k * Threads, triad_of(held[k], other[k], triad_factor));
  });
}

template <traffic What, class Access, int Threads, int Vectors>
void launch(const stream_variant& v, const stream_arrays& arrays, int processors, cudaStream_t stream) {
  const unsigned blocks = blocks_of(v, arrays.bytes, processors);
  const route way = route_of(v, arrays, processors);
  if constexpr (What == traffic::write)
    gpu::launch(write_kernel<Access, Threads, Vectors>, {blocks, Threads, 0, stream}, arrays, way);
  if constexpr (What == traffic::copy)
    gpu::launch(copy_kernel<Access, Threads, Vectors>, {blocks, Threads, 0, stream}, arrays, way);
  if constexpr (What == traffic::triad)
    gpu::launch(triad_kernel<Access, Threads, Vectors>, {blocks, Threads, 0, stream}, arrays, way);
}

template <traffic What, class Access, int Threads, int Vectors>
constexpr stream_variant row(std::string_view access, walk order, unsigned count, int least_major = 8) {
  return {access,
          least_major,
          Threads,
          Vectors,
          sizeof(typename Access::vector),
          order,
          count,
          launch<What, Access, Threads, Vectors>};
}

using enum walk;

constexpr stream_variant writes[] = {
    row<traffic::write, by_default, 1024, 1>("default", many, 1),
    row<traffic::write, by_default, 512, 4>("default", many, 1),
    row<traffic::write, streaming, 512, 4>("cs", interleaved, 2),
    row<traffic::write, by_default, 256, 4>("default", many, 1),
    row<traffic::write, by_default, 512, 4>("default", interleaved, 2),
    row<traffic::write, wide, 256, 4>("default", many, 1, 10),
    row<traffic::write, streaming, 256, 4>("cs", many, 1),
    row<traffic::write, by_default, 256, 8>("default", many, 1),
    row<traffic::write, by_default, 1024, 2>("default", many, 1),
    row<traffic::write, by_default, 512, 2>("default", many, 1),
    row<traffic::write, first_out, 1024, 1>("evict_first", many, 1),
    row<traffic::write, through, 512, 4>("wt", interleaved, 2),
    row<traffic::write, by_default, 512, 4>("default", interleaved, 4),
    row<traffic::write, by_default, 512, 4>("default", chunked, 2),
    row<traffic::write, in_l2, 512, 4>("cg", many, 1),
};

constexpr stream_variant copies[] = {
    row<traffic::copy, no_allocate, 512, 8>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, by_default, 1024, 1>("default", many, 1),
    row<traffic::copy, no_allocate, 256, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate_to_default, 1024, 2>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 512, 16>("nc.no_allocate, default", many, 1),
    row<traffic::copy, wide, 256, 4>("nc.no_allocate", many, 1, 10),
    row<traffic::copy, no_allocate_to_default, 1024, 1>("nc.no_allocate, default", many, 1),
    row<traffic::copy, first_out, 1024, 1>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, no_allocate_to_default, 1024, 4>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 512, 8>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 512, 2>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 1024, 8>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate, 256, 32>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, streaming, 512, 4>("cs", interleaved, 2),
    row<traffic::copy, no_allocate, 1024, 1>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 1024, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 1024, 4>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 1024, 8>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 512, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 512, 16>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 128, 32>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 128, 16>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 256, 16>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 256, 4>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, by_default, 1024, 2>("default", many, 1),
    row<traffic::copy, by_default, 1024, 4>("default", many, 1),
    row<traffic::copy, by_default, 512, 2>("default", many, 1),
    row<traffic::copy, by_default, 512, 1>("default", many, 1),
    row<traffic::copy, by_default, 256, 2>("default", many, 1),
    row<traffic::copy, by_default, 256, 4>("default", many, 1),
    row<traffic::copy, by_default, 512, 16>("default", many, 1),
    row<traffic::copy, no_allocate_to_default, 256, 2>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 256, 32>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 256, 16>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 128, 32>("nc.no_allocate, default", many, 1),
    row<traffic::copy, no_allocate_to_default, 512, 8>("nc.no_allocate, default", many, 4),
    row<traffic::copy, first_out, 1024, 2>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, first_out, 1024, 4>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, first_out, 512, 8>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, first_out, 512, 16>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, first_out, 256, 32>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, first_out, 512, 2>("nc.no_allocate.evict_first", many, 1),
    row<traffic::copy, no_allocate_256, 256, 4>("nc.no_allocate.L2::256B", many, 1),
    row<traffic::copy, no_allocate, 512, 8>("nc.no_allocate, cs", interleaved, 2),
    row<traffic::copy, no_allocate, 512, 4>("nc.no_allocate, cs", interleaved, 4),
    row<traffic::copy, no_allocate, 512, 4>("nc.no_allocate, cs", chunked, 2),
    row<traffic::copy, through, 512, 4>("nc.no_allocate, wt", interleaved, 2),
    row<traffic::copy, in_l2, 256, 4>("cg", many, 1),
};

constexpr stream_variant triads[] = {
    row<traffic::triad, by_default, 1024, 1>("default", many, 1),
    row<traffic::triad, no_allocate, 256, 4>("nc.no_allocate, cs", many, 1),
    row<traffic::triad, streaming, 512, 4>("cs", interleaved, 2),
    row<traffic::triad, no_allocate, 512, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::triad, wide, 256, 2>("nc.no_allocate", many, 1, 10),
    row<traffic::triad, no_allocate_256, 256, 4>("nc.no_allocate.L2::256B", many, 1),
    row<traffic::triad, no_allocate, 512, 4>("nc.no_allocate, cs", interleaved, 2),
    row<traffic::triad, no_allocate_to_default, 1024, 1>("nc.no_allocate, default", many, 1),
    row<traffic::triad, no_allocate_to_default, 1024, 2>("nc.no_allocate, default", many, 1),
    row<traffic::triad, by_default, 1024, 2>("default", many, 1),
    row<traffic::triad, first_out, 1024, 1>("nc.no_allocate.evict_first", many, 1),
    row<traffic::triad, by_default, 256, 4>("default", many, 1),
    row<traffic::triad, no_allocate, 256, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::triad, no_allocate, 512, 4>("nc.no_allocate, cs", chunked, 2),
};

unsigned pieces_of(const stream_variant& v, std::size_t bytes) {
  return static_cast<unsigned>(bytes / (std::size_t{v.threads} * v.vectors * v.vector_bytes));
}

}  // namespace

route route_of(const stream_variant& v, const stream_arrays& arrays, int processors) {
  const unsigned pieces = pieces_of(v, arrays.bytes), blocks = blocks_of(v, arrays.bytes, processors);
  if (v.order == walk::interleaved) return {pieces, 1, blocks, pieces};
  const unsigned each = (pieces + blocks - 1) / blocks;
  return {pieces, each, 1, each};
}

unsigned blocks_of(const stream_variant& v, std::size_t bytes, int processors) {
  const unsigned pieces = pieces_of(v, bytes);
  if (v.order == walk::many) return gpu::blocks_for(pieces, v.count);
  return std::min(pieces, static_cast<unsigned>(processors) * v.count);
}

std::span<const stream_variant> variants_of(traffic kind) {
  switch (kind) {
    case traffic::read:
      return read_variants();
    case traffic::write:
      return writes;
    case traffic::copy:
      return copies;
    case traffic::triad:
      return triads;
  }
  return {};
}

}  // namespace ridge::backends::probe_cuda
