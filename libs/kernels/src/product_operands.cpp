// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/product_operands.hpp>

#include <ridge/gpu/check.hpp>

namespace ridge::kernels {

std::function<void(cudaStream_t)> zeros_in(const product_operands& p, std::size_t element_bytes) {
  return [p, element_bytes](cudaStream_t stream) {
    const auto rows = static_cast<std::size_t>(p.m), columns = static_cast<std::size_t>(p.n);
    if (rows == 0 || columns == 0) return;
    gpu::check(cudaMemset2DAsync(p.c, static_cast<std::size_t>(p.c_pitch) * element_bytes, 0,
                                 columns * element_bytes, rows, stream),
               "cudaMemset2DAsync of c");
  };
}

}  // namespace ridge::kernels
