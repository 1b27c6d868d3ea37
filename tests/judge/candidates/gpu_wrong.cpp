// SPDX-License-Identifier: Apache-2.0
// For the simulated GPU: right for one call of a sample, wrong in the last element of every other one.
#include "arrays.hpp"

int ridge_cuda_candidate(const ridge_problem* problem, void*, void*) {
  static const float* first = nullptr;
  const chain_arrays here(problem);
  if (first == nullptr && here.n > 0) first = here.source;
  here.compute();
  if (here.n > 0 && here.source != first) here.target[here.n - 1] += 0.001F;
  return 0;
}
