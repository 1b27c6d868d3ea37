// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/workload.hpp>

namespace ridge {
class call;
}  // namespace ridge

namespace ridge::experiments::ch01_roofline_placement {

// A normalization adds this to the variance before it divides.
inline constexpr float norm_epsilon = 1e-5F;

// One kernel's operands, as n×n row-major matrices or as long vectors; the kernel says which.
struct workload {
  std::size_t n = 0;
  input<float> a{};
  input<float> b{};
  output<float> c{};
};

// c = a + b, n² elements.
ladder<workload> vector_add_cpu();
[[gnu::weak]] ladder<workload> vector_add_cuda();
// c[0] = a · b, n² elements.
ladder<workload> dot_cpu();
[[gnu::weak]] ladder<workload> dot_cuda();
// Each row of c sums to 1: exp(a - max of the row) / their sum.
ladder<workload> softmax_cpu();
[[gnu::weak]] ladder<workload> softmax_cuda();
// Each row of c has mean 0 and variance 1: (a - mean) / sqrt(variance + norm_epsilon).
ladder<workload> norm_cpu();
[[gnu::weak]] ladder<workload> norm_cuda();
// c = a b, a n×n, b and c of n elements.
ladder<workload> gemv_cpu();
[[gnu::weak]] ladder<workload> gemv_cuda();
// c = a b, all n×n.
ladder<workload> gemm_cpu();
[[gnu::weak]] ladder<workload> gemm_cuda();

// In plain.cpp: the six kernels as plain loops.
void plain_add(workload& w, call&);
void plain_dot(workload& w, call&);
void plain_softmax(workload& w, call&);
void plain_norm(workload& w, call&);
void plain_gemv(workload& w, call&);
void plain_gemm(workload& w, call&);

// In vectorized.cpp: the kernels that memory bounds, on one thread, with vectors as wide as this CPU has
// them.
void add(const float* a, const float* b, float* c, std::size_t count);
[[nodiscard]] float dot(const float* a, const float* b, std::size_t count);
void softmax_row(const float* source, float* target, std::size_t count);
void norm_row(const float* source, float* target, std::size_t count);

// The kernels on the GPU, enqueued on `queue`; operands lie in device memory. Without elements nothing is
// enqueued.
namespace on_gpu {

// In plain_kernels.cu: each kernel in the simplest form that is right and coalesced.
void plain_add(const workload& w, stream queue);
void plain_softmax(const workload& w, stream queue);
void plain_norm(const workload& w, stream queue);
void plain_gemv(const workload& w, stream queue);
void plain_gemm(const workload& w, stream queue);
// Enqueues a kernel for the sums of the blocks and another for their sum. `partial` holds
// plain_dot_blocks(elements) floats of device memory.
[[nodiscard]] std::size_t plain_dot_blocks(std::size_t elements);
void plain_dot(const workload& w, std::span<float> partial, stream queue);

// In vectorized_kernels.cu: the kernels that memory bounds, with 16 bytes per load and enough loads in
// flight. Rows that are no whole number of vectors, and rows too long for the registers of a block, go to the
// plain kernels.
void vectorized_add(const workload& w, stream queue);
void vectorized_softmax(const workload& w, stream queue);
void vectorized_norm(const workload& w, stream queue);
void vectorized_gemv(const workload& w, stream queue);
// Enqueues one launch: the block that finishes last adds up what the others left. `partial` holds
// vectorized_dot_blocks(elements) floats of device memory; `finished` counts blocks: zero before the first
// launch, and again after each.
[[nodiscard]] std::size_t vectorized_dot_blocks(std::size_t elements);
void vectorized_dot(const workload& w, std::span<float> partial, unsigned* finished, stream queue);

}  // namespace on_gpu

}  // namespace ridge::experiments::ch01_roofline_placement
