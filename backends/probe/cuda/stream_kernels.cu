// SPDX-License-Identifier: Apache-2.0
#include "stream_kernels.cuh"

#include <algorithm>

#include <ridge/gpu/check.hpp>

#include "stream_access.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// A block's pieces are first, first + step, ... below `end`, at most `most`.
struct route {
  unsigned pieces, block_step, piece_step, most;
};

// Blocks a multiprocessor, so that the compiler does not take fewer loads at once for more warps.
template <int Threads, int Vectors>
constexpr int resident = (Vectors > 8 ? 512 : 1024) / Threads;

// Calls body(index of the block's first vector) for each of its pieces.
template <std::size_t Piece, class Body>
__device__ void for_pieces(const route& way, Body body) {
  unsigned piece = blockIdx.x * way.block_step;
  for (unsigned k = 0; k < way.most && piece < way.pieces; ++k, piece += way.piece_step) body(piece * Piece);
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    read_kernel(stream_arrays in, route way) {
  using vector = typename Access::vector;
  const auto* from = reinterpret_cast<const vector*>(in.a) + threadIdx.x;
  std::uint32_t sum = 0;
  for_pieces<std::size_t{Threads} * Vectors>(way, [&](std::size_t first) {
    vector held[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; ++k) held[k] = Access::load(from + first + k * Threads);
#pragma unroll
    for (int k = 0; k < Vectors; ++k) sum += sum_of(held[k]);
  });
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (threadIdx.x % 32 == 0) in.sums[blockIdx.x * (Threads / 32) + threadIdx.x / 32] = sum;
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    write_kernel(stream_arrays in, route way) {
  using vector = typename Access::vector;
  auto* to = reinterpret_cast<vector*>(in.to) + threadIdx.x;
  vector value;
  written(threadIdx.x, value);
  for_pieces<std::size_t{Threads} * Vectors>(way, [&](std::size_t first) {
#pragma unroll
    for (int k = 0; k < Vectors; ++k) Access::store(to + first + k * Threads, value);
  });
}

template <class Access, int Threads, int Vectors>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    copy_kernel(stream_arrays in, route way) {
  using vector = typename Access::vector;
  const auto* from = reinterpret_cast<const vector*>(in.a) + threadIdx.x;
  auto* to = reinterpret_cast<vector*>(in.to) + threadIdx.x;
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
    triad_kernel(stream_arrays in, route way) {
  using vector = typename Access::vector;
  const auto* a = reinterpret_cast<const vector*>(in.a) + threadIdx.x;
  const auto* b = reinterpret_cast<const vector*>(in.b) + threadIdx.x;
  auto* to = reinterpret_cast<vector*>(in.to) + threadIdx.x;
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

unsigned pieces_of(const stream_variant& v, std::size_t bytes) {
  return static_cast<unsigned>(bytes / (std::size_t{v.threads} * v.vectors * v.vector_bytes));
}

route route_of(const stream_variant& v, const stream_arrays& in, int processors) {
  const unsigned pieces = pieces_of(v, in.bytes), blocks = blocks_of(v, in.bytes, processors);
  if (v.how == walk::interleaved) return {pieces, 1, blocks, pieces};
  const unsigned each = (pieces + blocks - 1) / blocks;
  return {pieces, each, 1, each};
}

template <traffic What, class Access, int Threads, int Vectors>
void launch(const stream_variant& v, const stream_arrays& in, int processors, cudaStream_t on) {
  const unsigned blocks = blocks_of(v, in.bytes, processors);
  const route way = route_of(v, in, processors);
  if constexpr (What == traffic::read)
    read_kernel<Access, Threads, Vectors><<<blocks, Threads, 0, on>>>(in, way);
  if constexpr (What == traffic::write)
    write_kernel<Access, Threads, Vectors><<<blocks, Threads, 0, on>>>(in, way);
  if constexpr (What == traffic::copy)
    copy_kernel<Access, Threads, Vectors><<<blocks, Threads, 0, on>>>(in, way);
  if constexpr (What == traffic::triad)
    triad_kernel<Access, Threads, Vectors><<<blocks, Threads, 0, on>>>(in, way);
  gpu::check_launch("a kernel that streams");
}

template <traffic What, class Access, int Threads, int Vectors>
constexpr stream_variant row(std::string_view access, walk how, unsigned count, int least_major = 8) {
  return {access,
          least_major,
          Threads,
          Vectors,
          sizeof(typename Access::vector),
          how,
          count,
          launch<What, Access, Threads, Vectors>};
}

using enum walk;

constexpr stream_variant reads[] = {
    row<traffic::read, no_allocate, 512, 4>("nc.no_allocate", interleaved, 4),
    row<traffic::read, no_allocate, 512, 8>("nc.no_allocate", many, 1),
    row<traffic::read, no_allocate_256, 512, 8>("nc.no_allocate.L2::256B", interleaved, 2),
    row<traffic::read, no_allocate, 512, 8>("nc.no_allocate", interleaved, 2),
    row<traffic::read, no_allocate, 256, 8>("nc.no_allocate", many, 1),
    row<traffic::read, no_allocate, 256, 4>("nc.no_allocate", many, 4),
    row<traffic::read, no_allocate, 1024, 8>("nc.no_allocate", interleaved, 1),
    row<traffic::read, wide, 512, 4>("nc.no_allocate", interleaved, 2, 10),
    row<traffic::read, wide, 256, 4>("nc.no_allocate", many, 1, 10),
    row<traffic::read, no_allocate, 256, 16>("nc.no_allocate", interleaved, 2),
    row<traffic::read, no_allocate, 256, 16>("nc.no_allocate", many, 1),
    row<traffic::read, no_allocate_256, 256, 8>("nc.no_allocate.L2::256B", many, 1),
    row<traffic::read, no_allocate, 512, 8>("nc.no_allocate", chunked, 2),
    row<traffic::read, streaming, 512, 8>("cs", interleaved, 2),
    row<traffic::read, in_l2, 512, 8>("cg", interleaved, 2),
    row<traffic::read, in_l2, 512, 8>("cg", many, 1),
    row<traffic::read, by_default, 512, 8>("default", interleaved, 2),
    row<traffic::read, no_allocate, 256, 8>("nc.no_allocate", interleaved, 5),
    row<traffic::read, no_allocate, 256, 4>("nc.no_allocate", many, 16),
};

constexpr stream_variant writes[] = {
    row<traffic::write, by_default, 512, 4>("default", many, 1),
    row<traffic::write, streaming, 512, 4>("cs", interleaved, 2),
    row<traffic::write, by_default, 256, 4>("default", many, 1),
    row<traffic::write, by_default, 512, 4>("default", interleaved, 2),
    row<traffic::write, wide, 256, 4>("default", many, 1, 10),
    row<traffic::write, streaming, 256, 4>("cs", many, 1),
    row<traffic::write, by_default, 256, 8>("default", many, 1),
    row<traffic::write, by_default, 1024, 1>("default", many, 1),
    row<traffic::write, through, 512, 4>("wt", interleaved, 2),
    row<traffic::write, by_default, 512, 4>("default", interleaved, 4),
    row<traffic::write, by_default, 512, 4>("default", chunked, 2),
    row<traffic::write, in_l2, 512, 4>("cg", many, 1),
};

constexpr stream_variant copies[] = {
    row<traffic::copy, streaming, 512, 4>("cs", interleaved, 2),
    row<traffic::copy, no_allocate, 256, 4>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 512, 8>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, wide, 256, 4>("nc.no_allocate", many, 1, 10),
    row<traffic::copy, no_allocate_256, 256, 4>("nc.no_allocate.L2::256B", many, 1),
    row<traffic::copy, no_allocate, 512, 8>("nc.no_allocate, cs", interleaved, 2),
    row<traffic::copy, no_allocate, 512, 4>("nc.no_allocate, cs", interleaved, 4),
    row<traffic::copy, by_default, 256, 4>("default", many, 1),
    row<traffic::copy, no_allocate, 256, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::copy, no_allocate, 512, 4>("nc.no_allocate, cs", chunked, 2),
    row<traffic::copy, through, 512, 4>("nc.no_allocate, wt", interleaved, 2),
    row<traffic::copy, in_l2, 256, 4>("cg", many, 1),
};

constexpr stream_variant triads[] = {
    row<traffic::triad, no_allocate, 256, 4>("nc.no_allocate, cs", many, 1),
    row<traffic::triad, streaming, 512, 4>("cs", interleaved, 2),
    row<traffic::triad, no_allocate, 512, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::triad, wide, 256, 2>("nc.no_allocate", many, 1, 10),
    row<traffic::triad, no_allocate_256, 256, 4>("nc.no_allocate.L2::256B", many, 1),
    row<traffic::triad, no_allocate, 512, 4>("nc.no_allocate, cs", interleaved, 2),
    row<traffic::triad, by_default, 256, 4>("default", many, 1),
    row<traffic::triad, no_allocate, 256, 2>("nc.no_allocate, cs", many, 1),
    row<traffic::triad, by_default, 1024, 1>("default", many, 1),
    row<traffic::triad, no_allocate, 512, 4>("nc.no_allocate, cs", chunked, 2),
};

}  // namespace

unsigned blocks_of(const stream_variant& v, std::size_t bytes, int processors) {
  const unsigned pieces = pieces_of(v, bytes);
  if (v.how == walk::many) return (pieces + v.count - 1) / v.count;
  return std::min(pieces, static_cast<unsigned>(processors) * v.count);
}

std::span<const stream_variant> variants_of(traffic what) {
  switch (what) {
    case traffic::read:
      return reads;
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
