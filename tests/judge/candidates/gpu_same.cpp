// SPDX-License-Identifier: Apache-2.0
// For the simulated GPU: what honest_same does.
#include "arrays.hpp"

int ridge_cuda_candidate(const ridge_problem* problem, void*, void*) {
  chain_arrays(problem).compute();
  return 0;
}
