// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <cublasLt.h>

// Matrix products by cuBLASLt, planned once and enqueued as often as wanted.
namespace ridge::vendor {

// One operand in device memory, row-major.
struct matrix {
  const void* at = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 0, columns = 0;  // as they lie in memory
  std::int64_t pitch = 0;              // elements from the begin of a row to that of the next
  bool transposed = false;             // enters the product transposed
  const float* scale = nullptr;  // in device memory, aligned to 16 bytes, of an eight-bit operand; or null
};

// What is applied to every element of the product before it is stored.
enum class epilogue : std::uint8_t { none, bias, bias_relu };

// target (m x n) = epilogue(alpha a b + beta base): a is m x k and b is k x n after their transpositions,
// base lies as target does. The bias is added to every row.
struct product {
  matrix a{}, b{};
  void* target = nullptr;
  std::int64_t pitch = 0;  // elements from a row of target and base to the next
  cudaDataType target_type = CUDA_R_32F;
  const void* base = nullptr;  // null: none, and beta is 0
  double alpha = 1, beta = 0;  // rounded to `scale_type`
  vendor::epilogue epilogue = vendor::epilogue::none;
  const float* bias = nullptr;  // n floats in device memory
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scale_type = CUDA_R_32F;  // CUDA_R_32F, CUDA_R_64F or CUDA_R_32I
  bool fast_accumulation = false;        // of eight-bit products: partial sums stay in the matrix unit
};

// Bytes of device memory that plans may use while they run.
inline constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

// A product whose pointers, descriptions and algorithms are settled once.
class planned_matmul {
 public:
  // `workspace`: workspace_bytes of device memory that outlive the plan; plans on one stream may share it.
  // Keeps up to `most_algorithms` of those that the library's heuristic names, best first. Throws unavailable
  // without the library or where it has no algorithm for the product, failure where a call fails.
  planned_matmul(const product& wanted, void* workspace, int most_algorithms = 1);

  // Enqueues the product by the best algorithm; throws failure where the library refuses it.
  void operator()(cudaStream_t stream) const;

  [[nodiscard]] std::size_t algorithms() const { return algorithms_.size(); }
  // Enqueues the product by one algorithm, below algorithms(). False: the library refuses that one after all.
  [[nodiscard]] bool try_algorithm(std::size_t index, cudaStream_t stream) const;

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
  // 1, 0 or another factor in the type that the library scales by.
  struct factor {
    float single;
    double twice;
    std::int32_t whole;
    [[nodiscard]] const void* as(cudaDataType type) const;
  };
  [[nodiscard]] static factor factor_of(double value);
  [[nodiscard]] static owned<cublasLtMatrixLayout_t> layout_of(const matrix& m);
  [[nodiscard]] static owned<cublasLtMatmulDesc_t> describe(const product& wanted);
  void find_algorithms(int most);
  [[nodiscard]] const void* base() const { return product_.base ? product_.base : product_.target; }
  [[nodiscard]] cublasStatus_t enqueue(std::size_t algorithm, cudaStream_t stream) const;

  product product_;
  void* workspace_;
  factor alpha_, beta_;
  owned<cublasLtMatmulDesc_t> description_;
  owned<cublasLtMatrixLayout_t> first_, second_, target_;
  std::vector<cublasLtMatmulAlgo_t> algorithms_{};
};

}  // namespace ridge::vendor
