// SPDX-License-Identifier: Apache-2.0
// Wrong in one of a hundred and thirty calls.
#include "arrays.hpp"

int ridge_candidate(const ridge_problem* problem, void*) {
  static int calls = 0;
  const chain_arrays here(problem);
  here.compute();
  if (here.n > 0 && ++calls % 130 == 0) here.target[here.n / 2] = 0.5F;
  return 0;
}
