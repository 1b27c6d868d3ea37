// SPDX-License-Identifier: Apache-2.0
// For the simulated GPU: writes one element too many.
#include "arrays.hpp"

int ridge_cuda_candidate(const ridge_problem* problem, void*, void*) {
  const chain_arrays here(problem);
  here.compute();
  if (here.n > 0) here.target[here.n] = 1;
  return 0;
}
