// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cublas.hpp>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/host/shared_library.hpp>

namespace ridge::vendor {
namespace {

constexpr std::size_t workspace_alignment = 256;

// cublasGemmEx as the library exports it; in C++ the header overloads the name.
using gemm_of_types = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                     const void*, const void*, cudaDataType, int, const void*, cudaDataType,
                                     int, const void*, void*, cudaDataType, int, cublasComputeType_t,
                                     cublasGemmAlgo_t);

struct functions {
  host::shared_library library{{"libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so.13",
                                "/usr/local/cuda/lib64/libcublas.so.12", "libcublas.so"},
                               "cuBLAS",
                               "install NVIDIA's libcublas, or add its folder to LD_LIBRARY_PATH"};
  decltype(&::cublasCreate) create = find<decltype(::cublasCreate)>("cublasCreate_v2");
  decltype(&::cublasDestroy) destroy = find<decltype(::cublasDestroy)>("cublasDestroy_v2");
  decltype(&::cublasGetProperty) property = find<decltype(::cublasGetProperty)>("cublasGetProperty");
  decltype(&::cublasGetStatusString) status_string =
      find<decltype(::cublasGetStatusString)>("cublasGetStatusString");
  decltype(&::cublasSetStream) set_stream = find<decltype(::cublasSetStream)>("cublasSetStream_v2");
  decltype(&::cublasSetWorkspace) set_workspace =
      find<decltype(::cublasSetWorkspace)>("cublasSetWorkspace_v2");
  decltype(&::cublasSetMathMode) set_math = find<decltype(::cublasSetMathMode)>("cublasSetMathMode");
  decltype(&::cublasSetPointerMode) set_pointers =
      find<decltype(::cublasSetPointerMode)>("cublasSetPointerMode_v2");
  decltype(&::cublasSdot) dot = find<decltype(::cublasSdot)>("cublasSdot_v2");
  decltype(&::cublasSgemv) gemv = find<decltype(::cublasSgemv)>("cublasSgemv_v2");
  decltype(&::cublasSgemm) gemm = find<decltype(::cublasSgemm)>("cublasSgemm_v2");
  decltype(&::cublasSgemmStridedBatched) gemm_batched =
      find<decltype(::cublasSgemmStridedBatched)>("cublasSgemmStridedBatched");
  decltype(&::cublasSgeam) geam = find<decltype(::cublasSgeam)>("cublasSgeam");
  gemm_of_types* gemm_ex = find<gemm_of_types>("cublasGemmEx");

 private:
  template <class F>
  [[nodiscard]] F* find(const char* name) const {
    return library.function<F>(name);
  }
};

const functions& cublas() {
  static const functions loaded;
  return loaded;
}

int part_of_version(libraryPropertyType part) {
  int value = 0;
  check_cublas(cublas().property(part, &value), "cublasGetProperty");
  return value;
}

// The part of `memory` that begins at a multiple of the alignment.
std::span<std::byte> aligned(std::span<std::byte> memory) {
  void* start = memory.data();
  std::size_t left = memory.size();
  expects(std::align(workspace_alignment, 1, start, left) != nullptr, "open_cublas: no room to align");
  return {static_cast<std::byte*>(start), left};
}

}  // namespace

result<std::string> find_cublas() {
  try {
    return fmt::format("cuBLAS {}.{}.{}", part_of_version(MAJOR_VERSION), part_of_version(MINOR_VERSION),
                       part_of_version(PATCH_LEVEL));
  } catch (const unavailable& e) {
    return e.why();
  }
}

void check_cublas(cublasStatus_t status, std::string_view call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw failure(
      {fmt::format("{} failed: {}", call, cublas().status_string(status)),
       status == CUBLAS_STATUS_NOT_INITIALIZED ? "see whether a CUDA device is visible (nvidia-smi)" : ""});
}

void cublas_closer::operator()(cublasContext* handle) const noexcept { cublas().destroy(handle); }

cublas_handle open_cublas(cudaStream_t queue, std::span<std::byte> workspace) {
  cublasContext* made = nullptr;
  check_cublas(cublas().create(&made), "cublasCreate");
  cublas_handle handle(made);
  // Setting the stream resets the workspace, so the stream is set first.
  check_cublas(cublas().set_stream(made, queue), "cublasSetStream");
  const auto room = aligned(workspace);
  check_cublas(cublas().set_workspace(made, room.data(), room.size()), "cublasSetWorkspace");
  check_cublas(cublas().set_math(made, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
  return handle;
}

}  // namespace ridge::vendor

using ridge::vendor::cublas;

cublasStatus_t cublasCreate(cublasHandle_t* handle) { return cublas().create(handle); }

cublasStatus_t cublasDestroy(cublasHandle_t handle) { return cublas().destroy(handle); }

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return cublas().set_pointers(handle, mode);
}

cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                          float* result) {
  return cublas().dot(handle, n, x, incx, y, incy, result);
}

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha,
                           const float* a, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy) {
  return cublas().gemv(handle, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, int m,
                           int n, int k, const float* alpha, const float* a, int lda, const float* b, int ldb,
                           const float* beta, float* c, int ldc) {
  return cublas().gemm(handle, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t trans_a,
                                         cublasOperation_t trans_b, int m, int n, int k, const float* alpha,
                                         const float* a, int lda, long long stride_a, const float* b, int ldb,
                                         long long stride_b, const float* beta, float* c, int ldc,
                                         long long stride_c, int count) {
  return cublas().gemm_batched(handle, trans_a, trans_b, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b,
                               beta, c, ldc, stride_c, count);
}

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, int m,
                           int n, const float* alpha, const float* a, int lda, const float* beta,
                           const float* b, int ldb, float* c, int ldc) {
  return cublas().geam(handle, trans_a, trans_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b,
                            int m, int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                            int lda, const void* b, cudaDataType b_type, int ldb, const void* beta, void* c,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
  return cublas().gemm_ex(handle, trans_a, trans_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c,
                          c_type, ldc, compute, algorithm);
}

cublasStatus_t cublasGemmGroupedBatchedEx(cublasHandle_t handle, const cublasOperation_t trans_a[],
                                          const cublasOperation_t trans_b[], const int m[], const int n[],
                                          const int k[], const void* alpha, const void* const a[],
                                          cudaDataType_t a_type, const int lda[], const void* const b[],
                                          cudaDataType_t b_type, const int ldb[], const void* beta,
                                          void* const c[], cudaDataType_t c_type, const int ldc[], int groups,
                                          const int group_size[], cublasComputeType_t compute) {
  // Since CUDA 12.5; the other functions do not need it.
  static auto* const f =
      cublas().library.function<decltype(cublasGemmGroupedBatchedEx)>("cublasGemmGroupedBatchedEx");
  return f(handle, trans_a, trans_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
           groups, group_size, compute);
}
