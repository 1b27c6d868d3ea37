// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/bf16_product.hpp>

#include <ridge/kernels/cheapest_product.cuh>

namespace ridge::kernels {
namespace {

template <unsigned Blocks, unsigned Columns, unsigned Stages, unsigned Down, unsigned BoxColumns,
          unsigned Boxes>
using tile =
    product_tile<bf16_operand, 2, Blocks, Columns, Stages, Down, 1, store_by::tensor_map, BoxColumns, Boxes>;

}  // namespace

std::function<void(cudaStream_t)> planned_bf16_product(const product_operands& p) {
  if (!maps_target(p))
    return resident_product<product_tile<bf16_operand, 2, 1, 256, 4, 2, 1, store_by::threads>>(p,
                                                                                               rows_of_band);
  return cheapest_product<tile<1, 256, 4, 1, 64, 2>, tile<1, 256, 4, 2, 64, 2>, tile<2, 192, 3, 1, 64, 3>,
                          tile<1, 224, 4, 2, 56, 2>, tile<1, 208, 4, 2, 104, 2>, tile<1, 192, 5, 2, 64, 1>,
                          tile<1, 192, 5, 1, 64, 1>, tile<1, 176, 4, 2, 88, 2>, tile<1, 128, 6, 2, 64, 2>>(p);
}

}  // namespace ridge::kernels
