// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stands before a loop with a constant number of iterations over an array of vectors. The array's elements
// are kept in registers only when all its loops are unrolled early.
#if defined(__clang__)
#define RIDGE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RIDGE_UNROLL _Pragma("GCC unroll 16")
#endif
