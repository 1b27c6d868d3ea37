// SPDX-License-Identifier: Apache-2.0
// A kernel that never ends.
#include "steps.cuh"

static __global__ void endless(volatile float* element) {
  while (*element != 12345.0F) {
  }
}

int ridge_cuda_candidate(const ridge_problem* problem, void* queue, void*) {
  const gpu_arrays here(problem);
  if (here.n > 0) endless<<<1, 1, 0, static_cast<cudaStream_t>(queue)>>>(here.target);
  return 0;
}
