// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/judge/candidate.h>

int ridge_candidate(const ridge_problem* problem, void*) {
  auto* values = static_cast<float*>(problem->arrays[0].data);
  for (std::size_t i = 0; i < problem->arrays[0].extents[0]; ++i) values[i] += values[i];
  return 0;
}
