// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem*, void*) {
  *static_cast<volatile int*>(nullptr) = 1;
  return 0;
}
