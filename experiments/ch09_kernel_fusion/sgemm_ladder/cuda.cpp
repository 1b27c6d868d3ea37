// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cublas.hpp>

#include "sgemm_ladder.hpp"

namespace ridge::experiments::ch09_sgemm_ladder {
namespace {

// cuBLAS is column-major and reads each matrix transposed: bᵀ aᵀ is the transpose of a b. The handle's math
// mode is the default, in which cublasSgemm rounds no operand to TF32.
auto cublas(workload&, setup& s) {
  auto handle = vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
  return [handle = std::move(handle)](workload& w, call&) {
    if (w.c.empty()) return;
    const float one = 1, zero = 0;
    const auto m = as_int(as_count(w.m)), n = as_int(as_count(w.n)), k = as_int(as_count(w.k));
    vendor::check_cublas(cublasSgemm(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, w.b.data(), n,
                                     w.a.data(), k, &zero, w.c.data(), n),
                         "cublasSgemm");
  };
}

constexpr auto lanes_scatter =
    "lanes of the baseline read 32 rows of a and write 32 rows of c at once, a sector each, and nothing is "
    "reused "
    "but what the caches keep";

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "naive",
       .is = role::baseline,
       .idea = "a sum a thread, neighbouring lanes below each other",
       .run = enqueues(launch_naive),
       .pedagogy = true},
      {.name = "coalesced",
       .idea = "neighbouring lanes beside each other: they read a row of b and share an element of a",
       .run = enqueues(launch_coalesced),
       .explanation = lanes_scatter},
      {.name = "shared_tile",
       .idea = "each element is read once for 32 x 32 sums, then from shared memory",
       .run = enqueues(launch_shared_tile),
       .explanation = lanes_scatter},
      {.name = "register_column",
       .idea = "eight sums a thread, below each other: an element of b in a register serves eight",
       .run = enqueues(launch_register_column),
       .explanation = lanes_scatter},
      {.name = "register_square",
       .idea = "8 x 8 sums a thread: 16 words from shared memory for 64 multiply-adds",
       .run = enqueues(launch_register_square),
       .explanation = lanes_scatter},
      {.name = "vectors",
       .idea = "the same by 16 bytes an access, a's slice transposed in shared memory",
       .run = enqueues(launch_vectors),
       .explanation = lanes_scatter},
      {.name = "warp_tiles",
       .idea = "16 x 8 sums a thread, 64 x 64 a warp; slices come ahead by cp.async, operands a term ahead",
       .run = enqueues(launch_warp_tiles),
       .needs = {.compute_capability = {8, 0}},
       .explanation = lanes_scatter},
      {.name = "cublas",
       .is = role::comparator,
       .idea = "cublasSgemm in fp32",
       .run = cublas,
       .needs = {.library = "cublas"}},
  };
}

}  // namespace ridge::experiments::ch09_sgemm_ladder
