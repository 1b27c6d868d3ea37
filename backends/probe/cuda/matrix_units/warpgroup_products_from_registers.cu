// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/warpgroup_products.cuh"

namespace ridge::backends::probe_cuda {

double run_products_from_registers(operand type, const kernel_call& call, bool two_groups) {
  return run_products_of<true>(type, call, two_groups);
}

}  // namespace ridge::backends::probe_cuda
