// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <cublasLt.h>

#include <ridge/vendor/planned_matmul.hpp>

#include "matrix_units/fill_operands.hpp"

namespace ridge::backends::probe_cuda {

// The types and the size of a product, in the library's terms.
struct library_type {
  element type;
  std::string_view name;
  cudaDataType operands, result;
  cublasComputeType_t compute;
  cudaDataType scale;
  int size;  // rows and columns of all three matrices
  std::size_t operand_bytes;
};
inline constexpr std::array library_types{
    library_type{element::bf16, "bf16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 8192, 2},
    library_type{element::fp16, "fp16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 8192, 2},
    library_type{element::tf32, "tf32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F,
                 8192, 4},
    library_type{element::fp32, "fp32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 8192, 4},
    library_type{element::fp64, "fp64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, 4096, 8},
    library_type{element::fp8, "fp8", CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 8192, 1},
    library_type{element::int8, "int8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, 8192, 1}};

// A product of two square matrices by cuBLASLt, the first transposed, with the algorithms that the library
// offers for it. Throws unavailable without the library or where it has no algorithm for the product, failure
// where a call fails.
class library_product final {
 public:
  static constexpr std::size_t workspace_bytes = vendor::workspace_bytes;
  // Device addresses of the matrices and of the workspace, which outlive this object.
  struct places {
    const void *first, *second;
    void *result, *workspace;
  };
  library_product(const library_type& type, const places& memory);

  // Number of algorithms.
  [[nodiscard]] std::size_t ways() const { return plan_.algorithms(); }
  // Enqueues the product by algorithm `way` on the default stream; returns false where the library refuses
  // it.
  [[nodiscard]] bool multiply(std::size_t way) const;
  // Number of operations of one product.
  [[nodiscard]] double operations() const;

 private:
  int size_;
  vendor::planned_matmul plan_;
};

}  // namespace ridge::backends::probe_cuda
