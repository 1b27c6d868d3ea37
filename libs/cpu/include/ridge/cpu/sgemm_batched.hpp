// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge::cpu {

// `count` products of one shape whose dense row-major matrices follow one another: C[i] = A[i] · B[i].
struct sgemm_batch {
  std::int64_t count = 0;
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

// Floats of workspace for `threads` threads.
[[nodiscard]] std::size_t sgemm_batched_workspace(std::int64_t m, std::int64_t n, std::int64_t k,
                                                  int threads = 1);

// One after another on the calling thread.
void sgemm_batched(const sgemm_batch& batch, std::span<float> workspace);

// In one parallel region, each product by one thread.
void sgemm_batched(host::team& team, const sgemm_batch& batch, std::span<float> workspace);

}  // namespace ridge::cpu
