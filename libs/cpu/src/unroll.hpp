// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before a loop of a constant number of turns over an array of vectors: only when all its loops are unrolled
// early do its elements live in registers.
#if defined(__clang__)
#define RIDGE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RIDGE_UNROLL _Pragma("GCC unroll 16")
#endif
