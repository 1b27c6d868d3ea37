// SPDX-License-Identifier: Apache-2.0
// For the simulated GPU: changes an input where the driver maps it writable.
#include "arrays.hpp"

int ridge_cuda_candidate(const ridge_problem* problem, void*, void*) {
  const chain_arrays here(problem);
  here.compute();
  if (here.n > 0) const_cast<float*>(here.source)[0] = 0;
  return 0;
}
