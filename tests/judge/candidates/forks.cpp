// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem*, void*) {
  for (;;) fork();
}
