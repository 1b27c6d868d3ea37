// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/reduce.cuh>
#include <ridge/kernels/product_epilogues.cuh>
#include <ridge/kernels/product_launch.cuh>

#include "gemm_epilogue_fusion.hpp"

namespace ridge::experiments::ch09_gemm_epilogue_fusion {
namespace {

using kernels::bf16_operand, kernels::consumers_take, kernels::product_tile, kernels::store_by;

constexpr unsigned threads = 256, banded = 8;

// `Width` neighbours in a row.
template <unsigned Width>
struct alignas(2 * Width) pack {
  __nv_bfloat16 number[Width];
};

// The pack of this thread, of the `packs` in a row.
struct pack_place {
  std::size_t index;
  unsigned column;
  bool inside;
};
__device__ pack_place own_pack(unsigned packs) {
  const unsigned blocks_a_row = (packs + threads - 1) / threads;
  const unsigned row = blockIdx.x / blocks_a_row, column = blockIdx.x % blocks_a_row * threads + threadIdx.x;
  return {std::size_t{row} * packs + column, column, column < packs};
}

template <unsigned Width>
__global__ void __launch_bounds__(threads)
    bias_gelu(pack<Width>* c, const pack<Width>* bias, unsigned packs) {
  const auto own = own_pack(packs);
  if (!own.inside) return;
  auto numbers = c[own.index];
  const auto added = bias[own.column];
#pragma unroll
  for (unsigned i = 0; i < Width; ++i)
    numbers.number[i] = __float2bfloat16_rn(
        kernels::gelu(__bfloat162float(numbers.number[i]) + __bfloat162float(added.number[i])));
  c[own.index] = numbers;
}

template <unsigned Width>
__global__ void __launch_bounds__(threads)
    largest_of(const pack<Width>* c, std::uint32_t* target, unsigned packs) {
  const auto own = own_pack(packs);
  float most = 0;
  if (own.inside) {
    const auto numbers = c[own.index];
#pragma unroll
    for (unsigned i = 0; i < Width; ++i) most = fmaxf(most, fabsf(__bfloat162float(numbers.number[i])));
  }
  most = gpu::over_block(most, gpu::most_of{});
  if (threadIdx.x == 0) atomicMax(target, __float_as_uint(most));
}

// Calls `run` with the widest pack that rows of c and the bias are made of.
template <class Run>
void by_packs(const workload& w, Run run) {
  const auto addresses =
      reinterpret_cast<std::uintptr_t>(w.c.data()) | reinterpret_cast<std::uintptr_t>(w.bias.data());
  const auto shape = [&](unsigned width) {
    return gpu::blocks_for(static_cast<std::size_t>(w.n) / width, threads) * static_cast<unsigned>(w.m);
  };
  if (addresses % 16 == 0 && w.n % 8 == 0) return run(pack<8>{}, shape(8), static_cast<unsigned>(w.n / 8));
  run(pack<1>{}, shape(1), static_cast<unsigned>(w.n));
}

std::uint32_t* bits_of_largest(const workload& w) {
  return reinterpret_cast<std::uint32_t*>(w.largest.data());
}

void clear_largest(const workload& w, stream queue) {
  gpu::check(cudaMemsetAsync(w.largest.data(), 0, w.largest.size_bytes(), queue),
             "cudaMemsetAsync of largest");
}

// Both consumers make 64 rows of a tile of 128 x 256; or each makes tiles of 128 x 128 of its own, in turns.
template <store_by Store>
using shared_tile = product_tile<bf16_operand, 2, 1, 256, 4, 2, 1, Store>;
template <store_by Store>
using own_tile = product_tile<bf16_operand, 2, 2, 128, 6, 2, 1, Store, 64, 2, consumers_take::turns>;

template <template <store_by> class Tile, class Epilogue>
enqueued storing(const workload& w, const Epilogue& epilogue) {
  return kernels::product_by_best_store<Tile>(kernels::operands_of(w), banded, epilogue);
}

template <template <store_by> class Tile>
enqueued fused_by(const workload& w) {
  const auto rows = static_cast<unsigned>(w.m), columns = static_cast<unsigned>(w.n);
  const kernels::add_bias bias{reinterpret_cast<const __nv_bfloat16*>(w.bias.data()), columns,
                               reinterpret_cast<std::uintptr_t>(w.bias.data()) % 4 == 0};
  using kernels::add_bias, kernels::apply_gelu, kernels::epilogue_chain, kernels::largest_magnitude;
  if (w.largest.empty()) return storing<Tile>(w, epilogue_chain<add_bias, apply_gelu>{bias, {}});
  auto product = storing<Tile>(w, epilogue_chain<add_bias, apply_gelu, largest_magnitude>{
                                      bias, {{}, {largest_magnitude{bits_of_largest(w), rows, columns}}}});
  return [product, shape = w](stream queue) {
    clear_largest(shape, queue);
    product(queue);
  };
}

}  // namespace

enqueued product_alone(const workload& w) { return storing<shared_tile>(w, kernels::as_summed{}); }
enqueued fused(const workload& w) { return fused_by<shared_tile>(w); }
enqueued fused_in_turns(const workload& w) { return fused_by<own_tile>(w); }

void launch_bias_gelu(const workload& w, stream queue) {
  if (w.c.empty()) return;
  by_packs(w, [&]<class Pack>(Pack, unsigned blocks, unsigned packs) {
    gpu::launch(bias_gelu<sizeof(Pack) / 2>, {blocks, threads, 0, queue}, reinterpret_cast<Pack*>(w.c.data()),
                reinterpret_cast<const Pack*>(w.bias.data()), packs);
  });
}

void launch_largest(const workload& w, stream queue) {
  if (w.largest.empty()) return;
  clear_largest(w, queue);
  if (w.c.empty()) return;
  by_packs(w, [&]<class Pack>(Pack, unsigned blocks, unsigned packs) {
    gpu::launch(largest_of<sizeof(Pack) / 2>, {blocks, threads, 0, queue},
                reinterpret_cast<const Pack*>(w.c.data()), bits_of_largest(w), packs);
  });
}

}  // namespace ridge::experiments::ch09_gemm_epilogue_fusion
