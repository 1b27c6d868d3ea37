// SPDX-License-Identifier: Apache-2.0
// A kernel that writes to no memory.
#include "steps.cuh"

static __global__ void fault(float* element) { *element = 1; }

int ridge_cuda_candidate(const ridge_problem* problem, void* queue, void*) {
  fault<<<1, 1, 0, static_cast<cudaStream_t>(queue)>>>(nullptr);
  return problem->array_count > 0 ? 0 : 1;
}
