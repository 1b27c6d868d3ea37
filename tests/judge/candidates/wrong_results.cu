// SPDX-License-Identifier: Apache-2.0
// The last element of every call is wrong.
#include "steps.cuh"

static __global__ void spoil(float* element) { *element += 0.001F; }

int ridge_cuda_candidate(const ridge_problem* problem, void* queue, void*) {
  const gpu_arrays here(problem);
  auto* stream = static_cast<cudaStream_t>(queue);
  here.compute(stream);
  if (here.n > 0) spoil<<<1, 1, 0, stream>>>(here.target + here.n - 1);
  return 0;
}
