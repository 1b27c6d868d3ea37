// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cublaslt.hpp>

#include <cstdint>

#include <cublasLt.h>

#include <ridge/base/error.hpp>
#include <ridge/host/shared_library.hpp>

namespace ridge::vendor {
namespace {

// By name, for the loader's own path, then where NVIDIA's packages put it.
host::shared_library open_library() {
  return {
      {"libcublasLt.so.13", "libcublasLt.so.12", "/usr/local/cuda/lib64/libcublasLt.so",
       "/usr/local/cuda/lib/libcublasLt.so", "libcublasLt.so"},
      "cuBLASLt",
      "install NVIDIA's libcublas (apt-get install libcublas-13-0), or name its folder in LD_LIBRARY_PATH"};
}

const host::shared_library& cublaslt() {
  static const auto loaded = open_library();
  return loaded;
}

}  // namespace

result<std::string> find_cublaslt() {
  try {
    const auto v = cublasLtGetVersion();  // 130100
    return "cuBLASLt " + std::to_string(v / 10000) + '.' + std::to_string(v / 100 % 100) + '.' +
           std::to_string(v % 100);
  } catch (const unavailable& e) {
    return e.why();
  }
}

}  // namespace ridge::vendor

using ridge::vendor::cublaslt;

std::size_t cublasLtGetVersion() {
  static auto* const f = cublaslt().function<decltype(cublasLtGetVersion)>("cublasLtGetVersion");
  return f();
}

const char* cublasLtGetStatusString(cublasStatus_t status) {
  static auto* const f = cublaslt().function<decltype(cublasLtGetStatusString)>("cublasLtGetStatusString");
  return f(status);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  static auto* const f = cublaslt().function<decltype(cublasLtCreate)>("cublasLtCreate");
  return f(handle);
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  static auto* const f = cublaslt().function<decltype(cublasLtDestroy)>("cublasLtDestroy");
  return f(handle);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t bytes) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatrixLayoutSetAttribute)>("cublasLtMatrixLayoutSetAttribute");
  return f(layout, attribute, value, bytes);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatrixLayoutCreate)>("cublasLtMatrixLayoutCreate");
  return f(layout, type, rows, columns, ld);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatrixLayoutDestroy)>("cublasLtMatrixLayoutDestroy");
  return f(layout);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  static auto* const f = cublaslt().function<decltype(cublasLtMatmulDescCreate)>("cublasLtMatmulDescCreate");
  return f(description, compute, scale);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatmulDescDestroy)>("cublasLtMatmulDescDestroy");
  return f(description);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t which, const void* value,
                                              std::size_t bytes) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatmulDescSetAttribute)>("cublasLtMatmulDescSetAttribute");
  return f(description, which, value, bytes);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatmulPreferenceCreate)>("cublasLtMatmulPreferenceCreate");
  return f(preference);
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatmulPreferenceDestroy)>("cublasLtMatmulPreferenceDestroy");
  return f(preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    const void* value, std::size_t bytes) {
  static auto* const f = cublaslt().function<decltype(cublasLtMatmulPreferenceSetAttribute)>(
      "cublasLtMatmulPreferenceSetAttribute");
  return f(preference, which, value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  static auto* const f =
      cublaslt().function<decltype(cublasLtMatmulAlgoGetHeuristic)>("cublasLtMatmulAlgoGetHeuristic");
  return f(handle, description, a, b, c, d, preference, wanted, results, found);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace, std::size_t bytes,
                              cudaStream_t stream) {
  static auto* const f = cublaslt().function<decltype(cublasLtMatmul)>("cublasLtMatmul");
  return f(handle, description, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d, d_layout, algorithm,
           workspace, bytes, stream);
}
