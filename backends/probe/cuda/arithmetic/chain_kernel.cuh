// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/launch.cuh>

#include "arithmetic/chains.hpp"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {

// Applies `op` `Steps` times per round to each of the chains, which are independent of each other.
template <int Steps, int Chains, class Value, class Op>
__device__ void run_rounds(Value (&x)[Chains], int rounds, const Op& op) {
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int s = 0; s < Steps; ++s) {
#pragma unroll
      for (int i = 0; i < Chains; ++i) x[i] = op(x[i]);
    }
  }
}

// The total of read(x) over a thread's chains.
template <class Total, int Chains, class Value, class Read>
__device__ Total total_of(const Value (&x)[Chains], const Read& read) {
  Total total = 0;
#pragma unroll
  for (int i = 0; i < Chains; ++i) total += read(x[i]);
  return total;
}

// Runs `Chains` chains of dependent instructions per thread, `Steps` of each per round. Op has a type
// `value`, a constructor Op(zeros), seed(index) for a chain's first value, operator()(value) for the
// instruction, and read(value), the value as a float.
template <class Op, int Chains, int Steps>
__global__ void __launch_bounds__(chain_threads)
    chain_kernel(float* results, block_span* spans, int rounds, bool zeros) {
  const Op op(zeros);
  typename Op::value x[Chains];
#pragma unroll
  for (int i = 0; i < Chains; ++i) x[i] = op.seed(chain_index(threadIdx.x, i));
  const span_clock clock;
  run_rounds<Steps>(x, rounds, op);
  results[blockIdx.x * std::size_t{blockDim.x} + threadIdx.x] =
      total_of<float>(x, [](typename Op::value value) { return Op::read(value); });
  clock.end(spans);
}

// Enqueues the kernel; returns how many instructions all threads execute.
template <class Op, int Chains, int Steps>
double run_chain_kernel(const kernel_call& call, unsigned blocks, unsigned threads) {
  gpu::launch(chain_kernel<Op, Chains, Steps>, {blocks, threads}, call.results, call.spans, call.rounds,
              call.zeros);
  return double{Chains} * Steps * threads * blocks * call.rounds;
}

// Enqueues the kernel in one of the shapes; returns how many instructions all threads execute, or one warp's
// number where the shape is one warp alone.
template <class Op>
double run_chain_shape(const kernel_call& call, const chain_shape& shape) {
  if (shape.alone) return run_chain_kernel<Op, 1, longer_steps>(call, 1, 32) / 32;
  const auto blocks = static_cast<unsigned>(call.processors * shape.blocks_per_processor);
  return shape.longer ? run_chain_kernel<Op, chains, longer_steps>(call, blocks, chain_threads)
                      : run_chain_kernel<Op, chains, short_steps>(call, blocks, chain_threads);
}

}  // namespace ridge::backends::probe_cuda
