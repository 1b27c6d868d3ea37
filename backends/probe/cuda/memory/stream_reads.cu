// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "memory/stream_access.cuh"
#include "memory/stream_loop.cuh"
#include "memory/stream_sums.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// Adds up the words of the block's pieces. With `Parts` above 1 a block reads that many halves or quarters of
// the array at once, one piece of each.
template <class Access, int Threads, int Vectors, int Parts>
__global__ void __launch_bounds__(Threads, resident<Threads, Vectors>)
    read_kernel(stream_arrays arrays, route way) {
  using vector = typename Access::vector;
  constexpr std::size_t piece = std::size_t{Threads} * Vectors / Parts;
  const auto* from = reinterpret_cast<const vector*>(arrays.a) + threadIdx.x;
  const std::size_t part = way.pieces * piece;
  std::uint32_t sum = 0;
  for_pieces<piece>(way, [&](std::size_t first) {
    vector held[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; ++k)
      held[k] = Access::load(from + first + k % Parts * part + k / Parts * Threads);
#pragma unroll
    for (int k = 0; k < Vectors; ++k) sum += sum_of(held[k]);
  });
  add_of_block(sum, arrays.sums);
}

template <class Access, int Threads, int Vectors, int Parts>
void launch(const stream_variant& v, const stream_arrays& arrays, int processors, cudaStream_t stream) {
  gpu::launch(read_kernel<Access, Threads, Vectors, Parts>,
              {blocks_of(v, arrays.bytes, processors), Threads, 0, stream}, arrays,
              route_of(v, arrays, processors));
}

template <class Access, int Threads, int Vectors, int Parts = 1>
constexpr stream_variant row(std::string_view access, walk order, unsigned count, int least_major = 8) {
  return {access,
          least_major,
          Threads,
          Vectors,
          sizeof(typename Access::vector),
          order,
          count,
          launch<Access, Threads, Vectors, Parts>};
}

using enum walk;

constexpr stream_variant reads[] = {
    row<no_allocate, 128, 16>("nc.no_allocate", many, 1),
    row<no_allocate, 256, 4>("nc.no_allocate", many, 4),
    row<no_allocate, 256, 16>("nc.no_allocate", many, 16),
    row<no_allocate, 256, 2>("nc.no_allocate", many, 1),
    row<no_allocate, 256, 16>("nc.no_allocate", many, 1),
    row<no_allocate, 1024, 2>("nc.no_allocate", many, 1),
    row<no_allocate, 512, 16>("nc.no_allocate", many, 1),
    row<no_allocate, 1024, 4>("nc.no_allocate", many, 1),
    row<no_allocate, 512, 2>("nc.no_allocate", many, 1),
    row<wide, 512, 4>("nc.no_allocate", interleaved, 2, 10),
    row<wide, 256, 4>("nc.no_allocate", many, 1, 10),
    row<no_allocate, 256, 32>("nc.no_allocate", many, 1),
    row<no_allocate, 128, 32>("nc.no_allocate", many, 1),
    row<first_out, 256, 16>("nc.no_allocate.evict_first", many, 1),
    row<no_allocate, 256, 16>("nc.no_allocate", many, 4),
    row<no_allocate, 256, 16, 2>("nc.no_allocate, 2 parts", many, 1),
    row<no_allocate, 256, 16, 4>("nc.no_allocate, 4 parts", many, 1),
    row<no_allocate, 1024, 4, 4>("nc.no_allocate, 4 parts", many, 1),
    row<no_allocate, 512, 1>("nc.no_allocate", many, 1),
    row<no_allocate, 512, 4>("nc.no_allocate", many, 1),
    row<no_allocate, 512, 8>("nc.no_allocate", many, 1),
    row<no_allocate, 256, 8>("nc.no_allocate", many, 1),
    row<by_default, 1024, 2>("default", many, 1),
    row<by_default, 1024, 4>("default", many, 1),
    row<by_default, 512, 2>("default", many, 1),
    row<by_default, 512, 4>("default", many, 1),
    row<by_default, 512, 16>("default", many, 1),
    row<by_default, 256, 16>("default", many, 1),
    row<first_out, 1024, 2>("nc.no_allocate.evict_first", many, 1),
    row<first_out, 1024, 4>("nc.no_allocate.evict_first", many, 1),
    row<first_out, 512, 2>("nc.no_allocate.evict_first", many, 1),
    row<first_out, 512, 16>("nc.no_allocate.evict_first", many, 1),
    row<first_out, 128, 32>("nc.no_allocate.evict_first", many, 1),
    row<no_allocate, 1024, 1>("nc.no_allocate", many, 4),
    row<no_allocate, 1024, 1>("nc.no_allocate", many, 16),
    row<no_allocate, 1024, 2>("nc.no_allocate", many, 8),
    row<no_allocate, 512, 8>("nc.no_allocate", many, 2),
    row<no_allocate, 512, 8>("nc.no_allocate", many, 4),
    row<no_allocate, 512, 16>("nc.no_allocate", many, 2),
    row<no_allocate, 256, 16>("nc.no_allocate", many, 2),
    row<no_allocate, 256, 4>("nc.no_allocate", many, 16),
    row<no_allocate, 1024, 2, 2>("nc.no_allocate, 2 parts", many, 1),
    row<no_allocate, 512, 8, 2>("nc.no_allocate, 2 parts", many, 1),
    row<no_allocate, 512, 8, 4>("nc.no_allocate, 4 parts", many, 1),
    row<no_allocate, 512, 16, 4>("nc.no_allocate, 4 parts", many, 1),
    row<no_allocate, 1024, 8>("nc.no_allocate", interleaved, 1),
    row<no_allocate, 512, 4>("nc.no_allocate", interleaved, 4),
    row<no_allocate, 512, 8>("nc.no_allocate", interleaved, 2),
    row<no_allocate, 256, 16>("nc.no_allocate", interleaved, 2),
    row<no_allocate, 256, 8>("nc.no_allocate", interleaved, 5),
    row<no_allocate, 1024, 1>("nc.no_allocate", interleaved, 2),
    row<no_allocate, 512, 8, 2>("nc.no_allocate, 2 parts", interleaved, 2),
    row<no_allocate, 256, 16, 4>("nc.no_allocate, 4 parts", interleaved, 2),
    row<no_allocate, 512, 8>("nc.no_allocate", chunked, 2),
    row<streaming, 512, 8>("cs", interleaved, 2),
    row<in_l2, 512, 8>("cg", interleaved, 2),
    row<in_l2, 1024, 1>("cg", many, 1),
    row<no_allocate_256, 512, 8>("nc.no_allocate.L2::256B", interleaved, 2),
    row<no_allocate, 1024, 1>("nc.no_allocate", many, 1),
    row<by_default, 1024, 1>("default", many, 1),
    row<first_out, 1024, 1>("nc.no_allocate.evict_first", many, 1),
};

}  // namespace

std::span<const stream_variant> read_variants() { return reads; }

}  // namespace ridge::backends::probe_cuda
