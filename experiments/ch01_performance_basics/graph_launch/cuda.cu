// SPDX-License-Identifier: Apache-2.0
#include "graph_launch.hpp"

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/kernel_launch.hpp>

namespace ridge::experiments::ch01_graph_launch {
namespace {

constexpr unsigned threads = 128;

// One operation: each rounds by itself, as the definition says.
template <unsigned Kind>
__device__ float applied(float y, float addend, float parameter) {
  if constexpr (Kind == 0) return __fmul_rn(y, parameter);
  if constexpr (Kind == 1) return __fadd_rn(y, addend);
  if constexpr (Kind == 2) return fmaxf(y, parameter);
  return __fsub_rn(y, parameter);
}

__device__ std::size_t own_index() { return blockIdx.x * std::size_t{threads} + threadIdx.x; }

template <unsigned Kind>
__global__ void __launch_bounds__(threads)
    operation(const float* from, const float* addend, const float* parameter, float* to, std::size_t n) {
  const auto i = own_index();
  if (i >= n) return;
  to[i] = applied<Kind>(from[i], Kind == 1 ? addend[i] : 0, *parameter);
}

// The blocks of the next operation may take their places at once: they wait for this grid's end themselves.
__device__ void let_dependents_launch() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ void wait_for_grid_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Every thread waits, those beyond the end too: a grid that ended without waiting would let its dependents
// pass operations that still run. What no operation writes is loaded before the wait.
template <unsigned Kind>
__global__ void __launch_bounds__(threads)
    dependent_operation(const float* from, const float* addend, const float* parameter, float* to,
                        std::size_t n) {
  let_dependents_launch();
  const auto i = own_index();
  const float p = *parameter, v = Kind == 1 && i < n ? addend[i] : 0;
  wait_for_grid_before();
  if (i < n) to[i] = applied<Kind>(from[i], v, p);
}

__global__ void __launch_bounds__(threads)
    whole_chain(const float* source, const float* addend, const float* parameters, float* to, std::size_t n) {
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
  to[i] = y;
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

using kernel = void (*)(const float*, const float*, const float*, float*, std::size_t);
constexpr kernel operations[] = {operation<0>, operation<1>, operation<2>, operation<3>};
constexpr kernel dependent_operations[] = {dependent_operation<0>, dependent_operation<1>,
                                           dependent_operation<2>, dependent_operation<3>};

// Calls launch(kind, from, parameter) for each operation of the chain.
template <class Launch>
void for_each_operation(const workload& w, Launch launch) {
  if (w.target.empty()) return;
  for (std::size_t k = 0; k < chain_length; ++k) {
    launch(k % 4, k == 0 ? w.source.data() : w.target.data(), w.parameters.data() + k);
  }
}

void enqueue_chain(const workload& w, cudaStream_t on) {
  const auto n = w.target.size();
  for_each_operation(w, [&](std::size_t kind, const float* from, const float* parameter) {
    operations[kind]<<<blocks_for(n), threads, 0, on>>>(from, w.addend.data(), parameter, w.target.data(), n);
    gpu::check_launch("operation");
  });
}

// The first operation depends on whatever the stream holds before it, so it is launched as usual.
void enqueue_dependent_chain(const workload& w, cudaStream_t on) {
  const auto n = w.target.size();
  const gpu::kernel_launch first(blocks_for(n), threads, on);
  const auto next = gpu::kernel_launch(blocks_for(n), threads, on).dependent();
  for_each_operation(w, [&](std::size_t kind, const float* from, const float* parameter) {
    const auto* how = from == w.target.data() ? next.config() : first.config();
    gpu::check(cudaLaunchKernelEx(how, dependent_operations[kind], from, w.addend.data(), parameter,
                                  w.target.data(), n),
               "launch of dependent_operation");
  });
}

void stream(workload& w, call& c) { enqueue_chain(w, c.queue()); }

// A body that launches what `enqueue` puts on a stream, recorded once.
auto recorded(void (*enqueue)(const workload&, cudaStream_t)) {
  return [enqueue](workload& w, setup& s) {
    gpu::graph chain([&](cudaStream_t on) { enqueue(w, on); });
    chain.upload(s.queue());
    return [chain = std::move(chain)](workload&, call& c) { chain.launch(c.queue()); };
  };
}

void one_kernel(workload& w, call& c) {
  const auto n = w.target.size();
  if (n == 0) return;
  whole_chain<<<blocks_for(n), threads, 0, c.queue()>>>(w.source.data(), w.addend.data(), w.parameters.data(),
                                                        w.target.data(), n);
  gpu::check_launch("whole_chain");
}

// Every operation reads and writes all elements; a quarter of them read the addend too.
double unfused_traffic(const problem& p) { return p.real("elements") * chain_length * (8 + 4 * 0.25); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "stream",
       .is = role::baseline,
       .idea = "each operation is a launch of its own; the stream keeps their order",
       .run = stream,
       .traffic = unfused_traffic},
      {.name = "graph",
       .idea = "the launches are recorded once and handed over as one",
       .run = recorded(enqueue_chain),
       .traffic = unfused_traffic},
      {.name = "graph_pdl",
       .idea = "the next operation's blocks are in place when the one before ends, and wait for it there",
       .run = recorded(enqueue_dependent_chain),
       .needs = {.compute_capability = {9, 0}},
       .traffic = unfused_traffic},
      {.name = "one_kernel", .idea = "all operations in one pass, in registers", .run = one_kernel},
  };
}

}  // namespace ridge::experiments::ch01_graph_launch
