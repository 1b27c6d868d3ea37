// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/base/result.hpp>

// oneDNN without linking it: matrix products under its own names, each forwarded to the library, which is
// opened on the first call. Without the library they throw ridge::unavailable. To be included instead of
// <dnnl.h>; the status is an int, 0 for success. Matrices are row-major; transposition is 'N' or 'T';
// dimensions and strides are in elements.

namespace ridge::vendor {

// What was found ("oneDNN 2.6.3"), or what is missing and how to get it. Opens the library.
[[nodiscard]] result<std::string> find_onednn();

// Threads of the calls that follow, 1 at first. Those of other OpenMP code stay as they are.
void set_onednn_threads(int count);

}  // namespace ridge::vendor

extern "C" {

// C = alpha op(A) op(B) + beta C
int dnnl_sgemm(char trans_a, char trans_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
               const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
               std::int64_t ldc);
// bf16 as its bits; exported by the library though its header does not declare it.
int dnnl_gemm_bf16bf16f32(char trans_a, char trans_b, std::int64_t m, std::int64_t n, std::int64_t k,
                          float alpha, const std::uint16_t* a, std::int64_t lda, const std::uint16_t* b,
                          std::int64_t ldb, float beta, float* c, std::int64_t ldc);
// C = alpha (op(A) - ao) (op(B) - bo) + beta C + co; offset_c is 'F' (one value), 'C' (a column) or 'R' (a
// row).
int dnnl_gemm_u8s8s32(char trans_a, char trans_b, char offset_c, std::int64_t m, std::int64_t n,
                      std::int64_t k, float alpha, const std::uint8_t* a, std::int64_t lda, std::uint8_t ao,
                      const std::int8_t* b, std::int64_t ldb, std::int8_t bo, float beta, std::int32_t* c,
                      std::int64_t ldc, const std::int32_t* co);
int dnnl_gemm_s8s8s32(char trans_a, char trans_b, char offset_c, std::int64_t m, std::int64_t n,
                      std::int64_t k, float alpha, const std::int8_t* a, std::int64_t lda, std::int8_t ao,
                      const std::int8_t* b, std::int64_t ldb, std::int8_t bo, float beta, std::int32_t* c,
                      std::int64_t ldc, const std::int32_t* co);
}
