// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/warpgroup_products.cuh"

namespace ridge::backends::probe_cuda {

static_assert(warpgroup_layout::threads == block_threads);

double run_products_from_shared(operand type, const kernel_call& call, bool two_groups) {
  return run_products_of<false>(type, call, two_groups);
}

double multiply_by_warpgroups(operand type, const kernel_call& call, const warpgroup_shape& shape) {
  const auto run = shape.from_registers ? run_products_from_registers : run_products_from_shared;
  return run(type, call, shape.groups_under_way > 0);
}

}  // namespace ridge::backends::probe_cuda
