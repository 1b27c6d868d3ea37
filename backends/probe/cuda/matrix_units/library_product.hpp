// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include <cublasLt.h>

#include "matrix_units/fill_operands.hpp"

namespace ridge::backends::probe_cuda {

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

// A product of two square matrices by cuBLASLt, the first transposed, and the ways that the library offers
// for it. Throws unavailable without the library or where it has no way for the product, failure where a call
// fails.
class library_product final {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
  // Where the matrices and the workspace lie in the device's memory; all outlive this.
  struct places {
    const void *first, *second;
    void *result, *workspace;
  };
  library_product(const library_type& type, const places& at);

  [[nodiscard]] std::size_t ways() const { return ways_.size(); }
  // Enqueues by that way on the default stream; false: it cannot be had after all.
  [[nodiscard]] bool multiply(std::size_t way) const;
  [[nodiscard]] double operations() const;  // of one product

 private:
  struct closer {
    void operator()(cublasLtMatrixLayout_t layout) const { cublasLtMatrixLayoutDestroy(layout); }
    void operator()(cublasLtMatmulDesc_t description) const { cublasLtMatmulDescDestroy(description); }
    void operator()(cublasLtMatmulPreference_t preference) const {
      cublasLtMatmulPreferenceDestroy(preference);
    }
  };
  template <class Handle>
  using owned = std::unique_ptr<std::remove_pointer_t<Handle>, closer>;
  [[nodiscard]] owned<cublasLtMatrixLayout_t> layout_of(cudaDataType type) const;
  void describe();
  void find_ways();

  library_type type_;
  places at_;
  owned<cublasLtMatmulDesc_t> description_{};
  owned<cublasLtMatrixLayout_t> operand_{}, result_{};
  std::vector<cublasLtMatmulAlgo_t> ways_{};
};

}  // namespace ridge::backends::probe_cuda
