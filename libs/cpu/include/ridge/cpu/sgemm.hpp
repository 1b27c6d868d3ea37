// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::host {
class team;
}  // namespace ridge::host

// Products of fp32 matrices: packed, blocked and register-tiled after Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication" (2008), and Van Zee and van de Geijn, "BLIS" (2015), with the
// widest vectors of this CPU. Matrices are row-major, strides in floats and at least the length of a row; C
// must not overlap A or B. Any size, 0 included; k = 0 gives zeros. Sums over k are in blocks, so bits differ
// from a plain loop's, and are the same for every number of threads.
namespace ridge::cpu {

// Floats of workspace for one product by `threads` threads, whatever its strides.
[[nodiscard]] std::size_t sgemm_workspace(std::int64_t m, std::int64_t n, std::int64_t k, int threads = 1);

// C (m×n) = A (m×k) · B (k×n) on the calling thread.
void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
           std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace);

// The same by all threads of the team, which share the packed B; workspace for team.size() threads.
void sgemm(host::team& team, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace);

}  // namespace ridge::cpu
