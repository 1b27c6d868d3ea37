// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>

// OpenBLAS without linking it: functions under its own names, each forwarded to the library, which is opened
// on the first call with its widest kernels for this CPU and one thread. Without the library they throw
// ridge::unavailable. To be included instead of <cblas.h>, whose enumerations are ints here with the values
// of the BLAS standard.

namespace ridge::vendor {

inline constexpr int cblas_row_major = 101;
inline constexpr int cblas_no_trans = 111;
inline constexpr int cblas_trans = 112;

// What was found, with the kernels it chose ("OpenBLAS 0.3.21, SkylakeX kernels"), or what is missing and how
// to get it. Opens the library.
[[nodiscard]] result<std::string> find_openblas();

}  // namespace ridge::vendor

extern "C" {

// C = alpha op(A) op(B) + beta C, A m×k, B k×n, C m×n; leading dimensions in elements.
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a,
                 int lda, const float* b, int ldb, float beta, float* c, int ldc);
// y = alpha op(A) x + beta y, A m×n.
void cblas_sgemv(int order, int trans, int m, int n, float alpha, const float* a, int lda, const float* x,
                 int incx, float beta, float* y, int incy);
float cblas_sdot(int n, const float* x, int incx, const float* y, int incy);
char* openblas_get_corename(void);
char* openblas_get_config(void);
void openblas_set_num_threads(int threads);
}
