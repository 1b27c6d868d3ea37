// SPDX-License-Identifier: Apache-2.0
// Writes one element too many.
#include "steps.cuh"

static __global__ void set(float* element) { *element = 1; }

int ridge_cuda_candidate(const ridge_problem* problem, void* queue, void*) {
  const gpu_arrays here(problem);
  auto* stream = static_cast<cudaStream_t>(queue);
  here.compute(stream);
  if (here.n > 0) set<<<1, 1, 0, stream>>>(here.target + here.n);
  return 0;
}
