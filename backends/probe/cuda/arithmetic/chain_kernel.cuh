// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/launch.cuh>

#include "arithmetic/chains.hpp"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {

// Op: a type `value`; Op(zeros), seed(index), operator()(value) the instruction, read(value) as a float.
template <class Op, int Chains, int Steps>
__global__ void __launch_bounds__(chain_threads)
    chain_kernel(float* to, block_span* spans, int rounds, bool zeros) {
  const Op op(zeros);
  typename Op::value x[Chains];
#pragma unroll
  for (int i = 0; i < Chains; ++i) x[i] = op.seed(chain_index(threadIdx.x, i));
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < Steps; ++u) {
#pragma unroll
      for (int i = 0; i < Chains; ++i) x[i] = op(x[i]);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Chains; ++i) sum += op.read(x[i]);
  to[blockIdx.x * std::size_t{blockDim.x} + threadIdx.x] = sum;
  clock.end(spans);
}

template <class Op, int Chains, int Steps>
double run_chain_kernel(const kernel_call& call, unsigned blocks, unsigned threads) {
  gpu::launch(chain_kernel<Op, Chains, Steps>, {blocks, threads}, call.to, call.spans, call.rounds,
              call.zeros);
  return double{Chains} * Steps * threads * blocks * call.rounds;
}

template <class Op>
double run_chain_shape(const kernel_call& call, const chain_shape& shape) {
  if (shape.alone) return run_chain_kernel<Op, 1, longer_steps>(call, 1, 32) / 32;
  const auto blocks = static_cast<unsigned>(call.processors * shape.blocks_a_processor);
  return shape.longer ? run_chain_kernel<Op, chains, longer_steps>(call, blocks, chain_threads)
                      : run_chain_kernel<Op, chains, short_steps>(call, blocks, chain_threads);
}

}  // namespace ridge::backends::probe_cuda
