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
// widest vectors of this CPU. Matrices are row-major; strides are in floats and at least the length of a row;
// C does not overlap A or B. Sizes may be 0; k = 0 gives zeros. Sums over k are computed in blocks, so the
// results differ in their last bits from those of a plain loop, and are the same for every number of threads.
namespace ridge::cpu {

// Number of floats of workspace for one product by `threads` threads, for any strides.
[[nodiscard]] std::size_t sgemm_workspace(std::int64_t m, std::int64_t n, std::int64_t k, int threads = 1);

// C (m×n) = A (m×k) · B (k×n) on the calling thread. A workspace that is too small is a bug of the caller.
void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
           std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace);

// The same product by all threads of the team, which share the packed B. `workspace` is for team.size()
// threads.
void sgemm(host::team& team, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float* c, std::int64_t ldc, std::span<float> workspace);

}  // namespace ridge::cpu
