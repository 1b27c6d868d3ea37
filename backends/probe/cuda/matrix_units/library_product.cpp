// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/library_product.hpp"

#include <string>

#include <ridge/base/error.hpp>

namespace ridge::backends::probe_cuda {
namespace {

constexpr int most_ways = 8;

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const auto what = std::string(call) + " failed: " + cublasLtGetStatusString(status);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH)
    throw unavailable(what, "this GPU or this cuBLASLt does not multiply these types");
  throw failure({what, "see the log of cuBLASLt: CUBLASLT_LOG_LEVEL=2"});
}

// One a process: it holds the library's own memory on the device.
cublasLtHandle_t handle() {
  static const cublasLtHandle_t made = [] {
    cublasLtHandle_t h{};
    check(cublasLtCreate(&h), "cublasLtCreate");
    return h;
  }();
  return made;
}

template <class T>
void set(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t which, const T& value) {
  check(cublasLtMatmulDescSetAttribute(description, which, &value, sizeof value),
        "cublasLtMatmulDescSetAttribute");
}

// 1 and 0 of the type that the library scales by.
struct scale {
  float single;
  double twice;
  std::int32_t whole;
  [[nodiscard]] const void* of(cudaDataType type) const {
    if (type == CUDA_R_64F) return &twice;
    return type == CUDA_R_32I ? static_cast<const void*>(&whole) : &single;
  }
};
constexpr scale one{1, 1, 1}, zero{0, 0, 0};

}  // namespace

library_product::library_product(const library_type& type, const places& at)
    : type_(type), at_(at), operand_(layout_of(type.operands)), result_(layout_of(type.result)) {
  describe();
  find_ways();
}

library_product::owned<cublasLtMatrixLayout_t> library_product::layout_of(cudaDataType type) const {
  const auto size = static_cast<std::uint64_t>(type_.size);
  cublasLtMatrixLayout_t made{};
  check(cublasLtMatrixLayoutCreate(&made, type, size, size, type_.size), "cublasLtMatrixLayoutCreate");
  return owned<cublasLtMatrixLayout_t>(made);
}

void library_product::describe() {
  cublasLtMatmulDesc_t made{};
  check(cublasLtMatmulDescCreate(&made, type_.compute, type_.scale), "cublasLtMatmulDescCreate");
  description_.reset(made);
  set(made, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(made, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
  if (type_.type == element::fp8) set(made, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
}

void library_product::find_ways() {
  cublasLtMatmulPreference_t made{};
  check(cublasLtMatmulPreferenceCreate(&made), "cublasLtMatmulPreferenceCreate");
  const owned<cublasLtMatmulPreference_t> preference(made);
  check(cublasLtMatmulPreferenceSetAttribute(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                             sizeof workspace_bytes),
        "cublasLtMatmulPreferenceSetAttribute");
  std::array<cublasLtMatmulHeuristicResult_t, most_ways> found{};
  int count = 0;
  check(cublasLtMatmulAlgoGetHeuristic(handle(), description_.get(), operand_.get(), operand_.get(),
                                       result_.get(), result_.get(), made, most_ways, found.data(), &count),
        "cublasLtMatmulAlgoGetHeuristic");
  for (int i = 0; i < count; ++i) ways_.push_back(found[static_cast<std::size_t>(i)].algo);
  if (ways_.empty())
    throw unavailable("cuBLASLt has no algorithm for " + std::string(type_.name),
                      "this GPU or this cuBLASLt does not multiply these types");
}

bool library_product::multiply(std::size_t way) const {
  return cublasLtMatmul(handle(), description_.get(), one.of(type_.scale), at_.first, operand_.get(),
                        at_.second, operand_.get(), zero.of(type_.scale), at_.result, result_.get(),
                        at_.result, result_.get(), &ways_[way], at_.workspace, workspace_bytes,
                        nullptr) == CUBLAS_STATUS_SUCCESS;
}

double library_product::operations() const {
  const double n = type_.size;
  return 2 * n * n * n;
}

}  // namespace ridge::backends::probe_cuda
