// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge::cpu {

// `count` products C[i] = A[i] · B[i] of one shape; the matrices are dense and row-major, one after the
// other.
struct sgemm_batch {
  std::int64_t count = 0;
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

// Number of floats of workspace for a batch on `threads` threads.
[[nodiscard]] std::size_t sgemm_batched_workspace(std::int64_t m, std::int64_t n, std::int64_t k,
                                                  int threads = 1);

// Computes the products one after another on the calling thread.
void sgemm_batched(const sgemm_batch& batch, std::span<float> workspace);

// Computes the products in one parallel region, each by one thread of the team.
void sgemm_batched(host::team& team, const sgemm_batch& batch, std::span<float> workspace);

}  // namespace ridge::cpu
