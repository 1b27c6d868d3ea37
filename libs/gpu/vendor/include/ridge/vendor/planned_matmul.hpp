// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <cublasLt.h>

// Matrix products by cuBLASLt that are planned once and enqueued any number of times.
namespace ridge::vendor {

// What an eight-bit operand's scales belong to: the whole; 128 terms of a row each, in lines of all rows, one
// line a block of terms; or 128 rows by 128 terms each, in lines of all blocks of terms whose length is
// rounded up to a multiple of four, one line a block of rows. Compute capability 9.0 alone has blocks.
enum class scale_of : std::uint8_t { whole, block_of_row, block_of_rows };

// One operand in device memory, row-major.
struct matrix {
  const void* data = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 0, columns = 0;  // as stored, before the transposition
  std::int64_t pitch = 0;              // elements from the start of one row to the next
  bool transposed = false;             // enters the product transposed
  const float* scale = nullptr;   // of an eight-bit operand, in device memory aligned to 16 bytes; or null
  std::int64_t batch_stride = 0;  // elements from one product's operand to the next's; 0: all share it
  scale_of scaled = scale_of::whole;
};

// The operation on every element of the product before it is stored.
// bias_gelu takes the unit's approximation with a hyperbolic tangent.
enum class epilogue : std::uint8_t { none, bias, bias_relu, bias_gelu };

// target (m x n) = epilogue(alpha a b + beta base). After their transpositions a is m x k and b is k x n;
// base has the layout of target. The bias is added to every row.
struct product {
  matrix a{}, b{};
  void* target = nullptr;
  std::int64_t pitch = 0;  // elements from one row of target and base to the next
  cudaDataType target_type = CUDA_R_32F;
  const void* base = nullptr;  // null where beta is 0
  double alpha = 1, beta = 0;  // rounded to `scale_type`
  vendor::epilogue epilogue = vendor::epilogue::none;
  const void* bias = nullptr;  // n numbers of the target's type in device memory
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scale_type = CUDA_R_32F;  // CUDA_R_32F, CUDA_R_64F or CUDA_R_32I
  bool fast_accumulation = false;        // eight-bit products keep partial sums in the matrix unit
  int batch = 1;                         // products at once
  std::int64_t batch_stride = 0;         // elements from one product's target to the next's
};

// Bytes of device memory that a plan may use while it runs.
inline constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

// A product whose pointers, layouts and algorithms are fixed at construction.
class planned_matmul {
 public:
  // `workspace` is workspace_bytes of device memory that outlive the plan; plans on one stream may share it.
  // The plan keeps up to `most_algorithms` algorithms that the library's heuristic proposes, best first.
  // Throws unavailable without the library or where it has no algorithm for the product, failure where a call
  // fails.
  planned_matmul(const product& wanted, void* workspace, int most_algorithms = 1);

  // Enqueues the product on `stream` by the best algorithm. Throws failure where the library refuses it.
  void operator()(cudaStream_t stream) const;

  // Times every algorithm that the plan keeps, which overwrites the target, and makes the fastest the best.
  // Operands `a` and `b` stand in for the product's own where those hold nothing yet: speed depends on the
  // bits, through power.
  void choose_fastest(cudaStream_t stream, const void* a, const void* b);

  // Number of algorithms that the plan keeps.
  [[nodiscard]] std::size_t algorithms() const { return algorithms_.size(); }
  // Enqueues the product on `stream` by algorithm `index`, which is below algorithms(). Returns false where
  // the library refuses that algorithm after all.
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
  // A scalar factor in each type by which the library may scale.
  struct factor {
    float single;
    double twice;
    std::int32_t whole;
    [[nodiscard]] const void* as(cudaDataType type) const;
  };
  [[nodiscard]] static factor factor_of(double value);
  [[nodiscard]] static owned<cublasLtMatrixLayout_t> layout_of(const matrix& m, int batch);
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
