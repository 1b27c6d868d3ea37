// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <ridge/judge/candidate.h>

// Four multiplications and additions on each element, each rounded: what the candidates for a GPU compute.
__device__ inline float step_on_gpu(float x, int k) {
  const float scale = k == 0 ? 0.75F : k == 1 ? -1.25F : k == 2 ? 0.625F : 1.5F;
  const float shift = k == 0 ? 0.5F : k == 1 ? 1.0F : k == 2 ? -0.25F : 2.0F;
  return __fadd_rn(__fmul_rn(scale, x), shift);
}
__device__ inline float all_steps_on_gpu(float x) {
  for (int k = 0; k < 4; ++k) x = step_on_gpu(x, k);
  return x;
}

static __global__ void one_pass(const float* source, float* target, unsigned long long n, int k) {
  const unsigned long long i = blockIdx.x * 256ULL + threadIdx.x;
  if (i < n) target[i] = step_on_gpu(source[i], k);
}
static __global__ void whole_chain(const float* source, float* target, unsigned long long n) {
  const unsigned long long i = blockIdx.x * 256ULL + threadIdx.x;
  if (i < n) target[i] = all_steps_on_gpu(source[i]);
}

// The arrays of a problem, in memory of the GPU.
struct gpu_arrays {
  explicit gpu_arrays(const ridge_problem* problem)
      : source(static_cast<const float*>(problem->arrays[0].data)),
        target(static_cast<float*>(problem->arrays[1].data)),
        n(problem->arrays[1].extents[0]) {}
  unsigned blocks() const { return static_cast<unsigned>((n + 255) / 256); }
  void compute(cudaStream_t queue) const {
    if (n > 0) whole_chain<<<blocks(), 256, 0, queue>>>(source, target, n);
  }
  const float* source;
  float* target;
  unsigned long long n;
};
