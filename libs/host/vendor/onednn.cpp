// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/onednn.hpp>

#include <atomic>

#include <ridge/host/shared_library.hpp>

namespace ridge::vendor {
namespace {

// The first members of dnnl_version_t of oneDNN, equal in versions 1 to 3.
struct version_head {
  int major, minor, patch;
};

struct onednn_functions {
  host::shared_library library{{"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"},
                               "oneDNN",
                               "apt-get install libdnnl3, or libdnnl2 on Debian 12 and older"};
  decltype(&dnnl_sgemm) sgemm = library.function<decltype(dnnl_sgemm)>("dnnl_sgemm");
  decltype(&dnnl_gemm_u8s8s32) u8s8s32 = library.function<decltype(dnnl_gemm_u8s8s32)>("dnnl_gemm_u8s8s32");
  decltype(&dnnl_gemm_s8s8s32) s8s8s32 = library.function<decltype(dnnl_gemm_s8s8s32)>("dnnl_gemm_s8s8s32");
  const version_head* (*version)() = library.function<const version_head*()>("dnnl_version");
  // These functions come from the OpenMP library that oneDNN is linked with; a build with another runtime
  // lacks them.
  void (*set_omp)(int) = library.function<void(int)>("omp_set_num_threads");
  int (*get_omp)() = library.function<int()>("omp_get_max_threads");
};

const onednn_functions& onednn() {
  static const onednn_functions loaded;
  return loaded;
}

std::atomic<int>& threads() {
  static std::atomic<int> count = 1;
  return count;
}

// Sets the number of threads of the calls below and restores it at the end of each, for OpenMP code of the
// caller.
class omp_threads final {
 public:
  omp_threads() : before_(onednn().get_omp()) { onednn().set_omp(threads()); }
  ~omp_threads() { onednn().set_omp(before_); }
  omp_threads(const omp_threads&) = delete;
  omp_threads& operator=(const omp_threads&) = delete;

 private:
  int before_;
};

}  // namespace

result<std::string> find_onednn() {
  try {
    const auto* v = onednn().version();
    return "oneDNN " + std::to_string(v->major) + '.' + std::to_string(v->minor) + '.' +
           std::to_string(v->patch);
  } catch (const unavailable& e) {
    return e.why();
  }
}

void set_onednn_threads(int count) {
  expects(count >= 1, "set_onednn_threads: at least one thread");
  threads() = count;
}

}  // namespace ridge::vendor

using ridge::vendor::omp_threads;
using ridge::vendor::onednn;

int dnnl_sgemm(char trans_a, char trans_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
               const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
               std::int64_t ldc) {
  const omp_threads set;
  return onednn().sgemm(trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int dnnl_gemm_bf16bf16f32(char trans_a, char trans_b, std::int64_t m, std::int64_t n, std::int64_t k,
                          float alpha, const std::uint16_t* a, std::int64_t lda, const std::uint16_t* b,
                          std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  static auto* const gemm =
      onednn().library.function<decltype(dnnl_gemm_bf16bf16f32)>("dnnl_gemm_bf16bf16f32");
  const omp_threads set;
  return gemm(trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int dnnl_gemm_u8s8s32(char trans_a, char trans_b, char offset_c, std::int64_t m, std::int64_t n,
                      std::int64_t k, float alpha, const std::uint8_t* a, std::int64_t lda, std::uint8_t ao,
                      const std::int8_t* b, std::int64_t ldb, std::int8_t bo, float beta, std::int32_t* c,
                      std::int64_t ldc, const std::int32_t* co) {
  const omp_threads set;
  return onednn().u8s8s32(trans_a, trans_b, offset_c, m, n, k, alpha, a, lda, ao, b, ldb, bo, beta, c, ldc,
                          co);
}

int dnnl_gemm_s8s8s32(char trans_a, char trans_b, char offset_c, std::int64_t m, std::int64_t n,
                      std::int64_t k, float alpha, const std::int8_t* a, std::int64_t lda, std::int8_t ao,
                      const std::int8_t* b, std::int64_t ldb, std::int8_t bo, float beta, std::int32_t* c,
                      std::int64_t ldc, const std::int32_t* co) {
  const omp_threads set;
  return onednn().s8s8s32(trans_a, trans_b, offset_c, m, n, k, alpha, a, lda, ao, b, ldb, bo, beta, c, ldc,
                          co);
}
