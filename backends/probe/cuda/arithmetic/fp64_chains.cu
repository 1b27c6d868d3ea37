// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/fp64_chains.hpp"

#include "arithmetic/chain_kernel.cuh"

namespace ridge::backends::probe_cuda {
namespace {

// `x`, passed through a shuffle: the compiler cannot know the result and must keep it in a register.
__device__ double in_register(double x) { return __shfl_sync(0xFFFFFFFFu, x, 0); }

template <fp64_form Form, int Chains>
__global__ void __launch_bounds__(256)
    fp64_chains(float* results, block_span* spans, int rounds, bool zeros, double factor, double addend) {
  constexpr bool constant = Form == fp64_form::constant || Form == fp64_form::least;
  const double f = constant ? factor : in_register(factor), a = in_register(addend);
  double x[Chains];
#pragma unroll
  for (unsigned i = 0; i < Chains; ++i) x[i] = zeros ? 0 : fp64_step::seed(Chains * threadIdx.x + i);
  const span_clock clock;
  run_rounds<fp64_steps>(x, rounds, [=](double v) { return __fma_rn(v, f, adds_itself(Form) ? v : a); });
  const double sum = total_of<double>(x, [](double v) { return v; });
  results[blockIdx.x * std::size_t{blockDim.x} + threadIdx.x] = static_cast<float>(sum);
  clock.end(spans);
}

template <fp64_form Form, int Chains>
double run(const kernel_call& call, const fp64_chain_shape& shape) {
  const auto blocks = static_cast<unsigned>(call.processors * shape.blocks_per_processor);
  const auto threads = static_cast<unsigned>(shape.threads);
  gpu::launch(fp64_chains<Form, Chains>, {blocks, threads}, call.results, call.spans, call.rounds, call.zeros,
              call.zeros ? 0 : fp64_factor(Form), call.zeros ? 0 : fp64_step::addend);
  return double{Chains} * fp64_steps * threads * blocks * call.rounds;
}

template <fp64_form Form>
double run_form(const kernel_call& call, const fp64_chain_shape& shape) {
  if (shape.chains == 16) return run<Form, 16>(call, shape);
  return shape.chains == 8 ? run<Form, 8>(call, shape) : run<Form, 4>(call, shape);
}

}  // namespace

double run_fp64_chains(const kernel_call& call, const fp64_chain_shape& shape) {
  switch (shape.form) {
    case fp64_form::registers:
      return run_form<fp64_form::registers>(call, shape);
    case fp64_form::twice:
      return run_form<fp64_form::twice>(call, shape);
    case fp64_form::constant:
      return run_form<fp64_form::constant>(call, shape);
    default:
      return run_form<fp64_form::least>(call, shape);
  }
}

}  // namespace ridge::backends::probe_cuda
