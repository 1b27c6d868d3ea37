// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>

#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem*, void*) {
  constexpr unsigned long bytes = 16UL << 20;
  for (;;) {
    void* volatile more = std::malloc(bytes);
    std::memset(more, 1, bytes);
  }
}
