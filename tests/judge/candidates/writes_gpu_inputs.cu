// SPDX-License-Identifier: Apache-2.0
// Changes an input, where the driver maps it writable.
#include "steps.cuh"

static __global__ void clear(float* element) { *element = 0; }

int ridge_cuda_candidate(const ridge_problem* problem, void* queue, void*) {
  const gpu_arrays here(problem);
  auto* stream = static_cast<cudaStream_t>(queue);
  here.compute(stream);
  if (here.n > 0) clear<<<1, 1, 0, stream>>>(const_cast<float*>(here.source));
  return 0;
}
