// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/judge/candidate.h>

#include "../passes.hpp"

// The arrays of the chain's problem.
struct chain_arrays {
  explicit chain_arrays(const ridge_problem* problem)
      : source(static_cast<const float*>(problem->arrays[0].data)),
        target(static_cast<float*>(problem->arrays[1].data)),
        n(static_cast<std::size_t>(problem->arrays[1].extents[0])) {}
  // Computes it as the baseline does.
  void compute() const { ridge::chain::in_passes(source, target, n); }
  const float* source;
  float* target;
  std::size_t n;
};
