// SPDX-License-Identifier: Apache-2.0
#include "planned_matmul.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <ridge/base/error.hpp>

namespace ridge::experiments::ch01_matmul {
namespace {

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const auto what = std::string(call) + " failed: " + cublasLtGetStatusString(status);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH) {
    throw unavailable(what, "this GPU or this cuBLASLt does not multiply these types and sizes");
  }
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

template <class T>
void prefer(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t which,
            const T& value) {
  check(cublasLtMatmulPreferenceSetAttribute(preference, which, &value, sizeof value),
        "cublasLtMatmulPreferenceSetAttribute");
}

// What the library may take for granted of a pointer, at most its own default of 256.
std::uint32_t alignment_of(const void* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at) | 256U;
  return static_cast<std::uint32_t>(address & (~address + 1));
}

cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

cublasLtEpilogue_t epilogue_of(followed_by what) {
  switch (what) {
    case followed_by::bias:
      return CUBLASLT_EPILOGUE_BIAS;
    case followed_by::relu_of_bias:
      return CUBLASLT_EPILOGUE_RELU_BIAS;
    default:
      return CUBLASLT_EPILOGUE_DEFAULT;
  }
}

struct preference_closer {
  void operator()(cublasLtMatmulPreference_t p) const { cublasLtMatmulPreferenceDestroy(p); }
};

}  // namespace

// The library's matrices are column-major: a row-major matrix is its own transposed there, and a b is
// computed as the transposed of b' a'. So our b is the library's first operand, and a row's bias is its
// column's.
planned_matmul::layout planned_matmul::layout_of(const matrix& m) {
  cublasLtMatrixLayout_t made{};
  check(cublasLtMatrixLayoutCreate(&made, m.type, static_cast<std::uint64_t>(m.columns),
                                   static_cast<std::uint64_t>(m.rows), m.pitch),
        "cublasLtMatrixLayoutCreate");
  return layout(made);
}

planned_matmul::description planned_matmul::describe(const product& of) {
  cublasLtMatmulDesc_t made{};
  check(cublasLtMatmulDescCreate(&made, of.compute, CUDA_R_32F), "cublasLtMatmulDescCreate");
  description owned(made);
  set(made, CUBLASLT_MATMUL_DESC_TRANSA, operation(of.b.transposed));
  set(made, CUBLASLT_MATMUL_DESC_TRANSB, operation(of.a.transposed));
  set(made, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(of.epilogue));
  if (of.bias) set(made, CUBLASLT_MATMUL_DESC_BIAS_POINTER, of.bias);
  if (of.b.scale) set(made, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, of.b.scale);
  if (of.a.scale) set(made, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, of.a.scale);
  if (of.fast_accumulation) set(made, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  return owned;
}

planned_matmul::planned_matmul(const product& of, void* workspace)
    : of_(of),
      workspace_(workspace),
      description_(describe(of)),
      first_(layout_of(of.b)),
      second_(layout_of(of.a)),
      target_(layout_of({.at = of.target,
                         .rows = of.a.transposed ? of.a.columns : of.a.rows,
                         .columns = of.b.transposed ? of.b.rows : of.b.columns,
                         .pitch = of.pitch})) {
  choose_algorithm();
}

void planned_matmul::choose_algorithm() {
  cublasLtMatmulPreference_t made{};
  check(cublasLtMatmulPreferenceCreate(&made), "cublasLtMatmulPreferenceCreate");
  const std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>, preference_closer> owned(made);
  const void* base = of_.base ? of_.base : of_.target;
  prefer(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_bytes);
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(of_.b.at));
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(of_.a.at));
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(base));
  prefer(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(of_.target));
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  check(cublasLtMatmulAlgoGetHeuristic(handle(), description_.get(), first_.get(), second_.get(),
                                       target_.get(), target_.get(), made, 1, &best, &found),
        "cublasLtMatmulAlgoGetHeuristic");
  if (found == 0) {
    throw unavailable("cuBLASLt has no algorithm for this product",
                      "this GPU or this cuBLASLt does not multiply these types and sizes");
  }
  algorithm_ = best.algo;
}

void planned_matmul::operator()(cudaStream_t queue) const {
  const void* base = of_.base ? of_.base : of_.target;
  check(cublasLtMatmul(handle(), description_.get(), &of_.alpha, of_.b.at, first_.get(), of_.a.at,
                       second_.get(), &of_.beta, base, target_.get(), of_.target, target_.get(), &algorithm_,
                       workspace_, workspace_bytes, queue),
        "cublasLtMatmul");
}

}  // namespace ridge::experiments::ch01_matmul
