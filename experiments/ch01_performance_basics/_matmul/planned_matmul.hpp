// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <cublasLt.h>

namespace ridge::experiments::ch01_matmul {

// One matrix in device memory, row-major.
struct matrix {
  const void* at = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 0, columns = 0;  // as they lie in memory
  std::int64_t pitch = 0;              // elements from a row to the next
  bool transposed = false;             // enters the product transposed
  const float* scale = nullptr;        // in device memory, on 16 bytes, of an eight-bit operand
};

enum class followed_by : std::uint8_t { nothing, bias, relu_of_bias };

// target (m x n, fp32) = follow(alpha a b + beta base): a is m x k and b k x n after their transpositions,
// base as target. The bias is added to every row.
struct product {
  matrix a{}, b{};
  float* target = nullptr;
  std::int64_t pitch = 0;       // of target and base
  const float* base = nullptr;  // null: none, and beta is 0
  float alpha = 1, beta = 0;
  followed_by epilogue{followed_by::nothing};
  const float* bias = nullptr;  // n floats
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  bool fast_accumulation = false;  // of eight-bit products: no promotion of partial sums on the way
};

inline constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

// A product whose pointers, descriptions and algorithm are settled once. Throws unavailable without the
// library or where it has no algorithm for the product.
class planned_matmul {
 public:
  // `workspace`: workspace_bytes of device memory that outlive the plan; plans on one queue may share it.
  planned_matmul(const product& of, void* workspace);
  // Enqueues the product.
  void operator()(cudaStream_t queue) const;

 private:
  struct closer {
    void operator()(cublasLtMatrixLayout_t layout) const { cublasLtMatrixLayoutDestroy(layout); }
    void operator()(cublasLtMatmulDesc_t description) const { cublasLtMatmulDescDestroy(description); }
  };
  using layout = std::unique_ptr<std::remove_pointer_t<cublasLtMatrixLayout_t>, closer>;
  using description = std::unique_ptr<std::remove_pointer_t<cublasLtMatmulDesc_t>, closer>;
  [[nodiscard]] static layout layout_of(const matrix& m);
  [[nodiscard]] static description describe(const product& of);
  void choose_algorithm();

  product of_;
  void* workspace_;
  description description_;
  layout first_, second_, target_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace ridge::experiments::ch01_matmul
