// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/griddepcontrol.cuh>

#include "graph_launch.hpp"

namespace ridge::experiments::ch01_graph_launch {
namespace {

constexpr unsigned threads = 128;

// Applies one operation; each rounds by itself, as the definition says.
template <unsigned Kind>
__device__ float applied(float y, float addend, float parameter) {
  if constexpr (Kind == 0) return __fmul_rn(y, parameter);
  if constexpr (Kind == 1) return __fadd_rn(y, addend);
  if constexpr (Kind == 2) return fmaxf(y, parameter);
  return __fsub_rn(y, parameter);
}

__device__ std::size_t own_index() { return blockIdx.x * std::size_t{threads} + threadIdx.x; }

template <unsigned Kind>
__global__ void __launch_bounds__(threads) operation(const float* source, const float* addend,
                                                     const float* parameter, float* target, std::size_t n) {
  const auto i = own_index();
  if (i >= n) return;
  target[i] = applied<Kind>(source[i], Kind == 1 ? addend[i] : 0, *parameter);
}

// Every thread waits, those beyond the end too: a grid that ended without waiting would let its dependents
// pass operations that still run. What no operation writes is loaded before the wait.
template <unsigned Kind>
__global__ void __launch_bounds__(threads)
    dependent_operation(const float* source, const float* addend, const float* parameter, float* target,
                        std::size_t n) {
  gpu::ptx::griddepcontrol_launch_dependents();
  const auto i = own_index();
  const float p = *parameter, v = Kind == 1 && i < n ? addend[i] : 0;
  gpu::ptx::griddepcontrol_wait();
  if (i < n) target[i] = applied<Kind>(source[i], v, p);
}

__global__ void __launch_bounds__(threads)
    whole_chain(const float* source, const float* addend, const float* parameters, float* target,
                std::size_t n) {
  __shared__ __align__(16) float p[chain_length];
  for (unsigned k = threadIdx.x; k < chain_length; k += threads) p[k] = parameters[k];
  __syncthreads();
  const auto i = own_index();
  if (i >= n) return;
  float y = source[i];
  const float v = addend[i];
#pragma unroll 16
  for (unsigned k = 0; k < chain_length; k += 4) {
    y = applied<0>(y, v, p[k]);
    y = applied<1>(y, v, p[k + 1]);
    y = applied<2>(y, v, p[k + 2]);
    y = applied<3>(y, v, p[k + 3]);
  }
  target[i] = y;
}

using kernel = void (*)(const float*, const float*, const float*, float*, std::size_t);
constexpr kernel operations[] = {operation<0>, operation<1>, operation<2>, operation<3>};
constexpr kernel dependent_operations[] = {dependent_operation<0>, dependent_operation<1>,
                                           dependent_operation<2>, dependent_operation<3>};

gpu::launch_shape shape_for(const workload& w, stream queue) {
  return {gpu::blocks_for(w.target.size(), threads), threads, 0, queue};
}

// `dependent` holds for all launches but the first, which depends on whatever the queue holds before it.
void launch_chain(const kernel (&kinds)[4], const workload& w, bool dependent, stream queue) {
  auto shape = shape_for(w, queue);
  for (std::size_t k = 0; k < chain_length && !w.target.empty(); ++k) {
    shape.dependent = dependent && k > 0;
    gpu::launch(kinds[k % 4], shape, k == 0 ? w.source.data() : w.target.data(), w.addend.data(),
                w.parameters.data() + k, w.target.data(), w.target.size());
  }
}

}  // namespace

void launch_operations(const workload& w, stream queue) { launch_chain(operations, w, false, queue); }

void launch_dependent_operations(const workload& w, stream queue) {
  launch_chain(dependent_operations, w, true, queue);
}

void launch_whole_chain(const workload& w, stream queue) {
  if (w.target.empty()) return;
  gpu::launch(whole_chain, shape_for(w, queue), w.source.data(), w.addend.data(), w.parameters.data(),
              w.target.data(), w.target.size());
}

}  // namespace ridge::experiments::ch01_graph_launch
