// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cublas.hpp>

#include "transpose.hpp"

namespace ridge::experiments::ch07_transpose {
namespace {

// cuBLAS is column-major: its columns x rows matrix is ours of rows x columns.
auto cublas_geam(workload&, setup& s) {
  auto handle = vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
  return [handle = std::move(handle)](workload& w, call&) {
    if (w.source.empty()) return;
    const float one = 1, zero = 0;
    const int rows = as_int(w.rows), columns = as_int(w.columns);
    const auto status =
        cublasSgeam(handle.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, w.source.data(), columns,
                    &zero, w.target.data(), rows, w.target.data(), rows);
    vendor::check_cublas(status, "cublasSgeam");
  };
}

// A lane's write fills 4 bytes of a sector of 32.
double naive_traffic(const problem& p) { return 9 * 4 * p.real("rows") * p.real("columns"); }

}  // namespace

// Why gains over the naive baseline may exceed ten times.
constexpr auto one_element_per_sector =
    "the baseline reads and writes a sector of 32 bytes for every 4 bytes of the target";

ladder<workload> cuda() {
  return {
      {.name = "naive",
       .is = role::baseline,
       .idea = "rows are read by neighbouring lanes, and written to a sector a lane",
       .run = enqueues(launch_naive),
       .traffic = naive_traffic,
       .traffic_reason = "neighbouring warps fill the same sectors while the second-level cache holds them"},
      {.name = "padded",
       .idea = "32 x 32 elements turn in shared memory, whose rows are a word longer than all banks",
       .run = enqueues(launch_padded),
       .explanation = one_element_per_sector},
      {.name = "quads",
       .idea = "64 x 64 elements: a thread turns eight rows of four in registers, 16 bytes a load and store",
       .run = enqueues(launch_quads),
       .explanation = one_element_per_sector},
      {.name = "tensor_tiles",
       .idea = "the same tile copied by tensor maps, swizzled by the copy and turned in place",
       .run = enqueues(launch_tensor_tiles),
       .needs = {.compute_capability = {9, 0}},
       .explanation = one_element_per_sector},
      {.name = "cublas_geam",
       .is = role::comparator,
       .idea = "cublasSgeam with one operand transposed",
       .run = cublas_geam,
       .needs = {.library = "cublas"}},
  };
}

}  // namespace ridge::experiments::ch07_transpose
