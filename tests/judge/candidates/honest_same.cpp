// SPDX-License-Identifier: Apache-2.0
#include "arrays.hpp"

int ridge_candidate(const ridge_problem* problem, void*) {
  chain_arrays(problem).compute();
  return 0;
}
