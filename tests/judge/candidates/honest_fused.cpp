// SPDX-License-Identifier: Apache-2.0
// All steps in one pass, sixteen elements at a time, so that values stay in registers.
#include <cstddef>

#include <ridge/judge/candidate.h>

namespace {

constexpr int steps = 64;

template <std::size_t Width>
void chains(const float* source, float* target) {
  float x[Width];
  for (std::size_t i = 0; i < Width; ++i) x[i] = source[i];
  for (int k = 0; k < steps; k += 2) {
    for (std::size_t i = 0; i < Width; ++i) x[i] = x[i] * 1.01F + 0.1F;
    for (std::size_t i = 0; i < Width; ++i) x[i] = x[i] * 0.99F - 0.1F;
  }
  for (std::size_t i = 0; i < Width; ++i) target[i] = x[i];
}

}  // namespace

int ridge_candidate(const ridge_problem* problem, void*) {
  const auto* source = static_cast<const float*>(problem->arrays[0].data);
  auto* target = static_cast<float*>(problem->arrays[1].data);
  const std::size_t n = problem->arrays[1].extents[0];
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) chains<32>(source + i, target + i);
  for (; i < n; ++i) chains<1>(source + i, target + i);
  return 0;
}
