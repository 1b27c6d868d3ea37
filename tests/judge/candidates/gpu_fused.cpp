// SPDX-License-Identifier: Apache-2.0
// For the simulated GPU: what honest_fused does. It exports a function for either.
#include "honest_fused.cpp"  // NOLINT(bugprone-suspicious-include)

int ridge_cuda_candidate(const ridge_problem* problem, void*, void* state) {
  return ridge_candidate(problem, state);
}
