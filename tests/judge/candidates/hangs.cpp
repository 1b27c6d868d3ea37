// SPDX-License-Identifier: Apache-2.0
#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem*, void*) {
  for (volatile int forever = 1; forever == 1;) {
  }
  return 0;
}
