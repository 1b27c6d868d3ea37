// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/cpu/dot_tiles.hpp>
#include <ridge/host/isa.hpp>

#include "tile_walk.hpp"
#include "unroll.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridge::cpu {
namespace {

void require(const char* isa) {
  if (!host::has_isa(isa)) {
    throw unavailable(std::string("the instruction set ") + isa, "run it on a CPU that has it");
  }
}

#if defined(__x86_64__)
using bf16_product = row_product<std::uint16_t, std::uint16_t, float>;
using int8_product = row_product<std::uint8_t, std::int8_t, std::int32_t>;

#define RIDGE_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
#define RIDGE_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

// A mask of the first `left` elements of a vector of `all`, or of all of them where `left` is more.
constexpr std::uint64_t first(std::int64_t left, std::int64_t all) {
  return left >= all ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

struct bf16_kernel {
  static constexpr int rows = 4, columns = 4;
  static constexpr std::int64_t lanes = 32;

  template <int Rows, int Columns>
  RIDGE_BF16 static void tile(const bf16_product& p, std::int64_t row, std::int64_t column) {
    __m512 sum[std::size_t{Rows}][std::size_t{Columns}];
    RIDGE_UNROLL
    for (int i = 0; i < Rows; ++i) {
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j) sum[i][j] = _mm512_setzero_ps();
    }
    for (std::int64_t q = 0; q < p.k; q += lanes) {
      const auto kept = static_cast<__mmask32>(first(p.k - q, lanes));
      __m512i right[std::size_t{Columns}];
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j)
        right[j] = _mm512_maskz_loadu_epi16(kept, p.b + (column + j) * p.k + q);
      RIDGE_UNROLL
      for (int i = 0; i < Rows; ++i) {
        const __m512i left = _mm512_maskz_loadu_epi16(kept, p.a + (row + i) * p.k + q);
        RIDGE_UNROLL
        for (int j = 0; j < Columns; ++j) {
          sum[i][j] = _mm512_dpbf16_ps(sum[i][j], __m512bh(left), __m512bh(right[j]));
        }
      }
    }
    RIDGE_UNROLL
    for (int i = 0; i < Rows; ++i) {
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j) p.c[(row + i) * p.n + column + j] = _mm512_reduce_add_ps(sum[i][j]);
    }
  }
};

struct int8_kernel {
  static constexpr int rows = 4, columns = 4;
  static constexpr std::int64_t lanes = 64;

  template <int Rows, int Columns>
  RIDGE_VNNI static void tile(const int8_product& p, std::int64_t row, std::int64_t column) {
    __m512i sum[std::size_t{Rows}][std::size_t{Columns}];
    RIDGE_UNROLL
    for (int i = 0; i < Rows; ++i) {
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j) sum[i][j] = _mm512_setzero_si512();
    }
    for (std::int64_t q = 0; q < p.k; q += lanes) {
      const __mmask64 kept = first(p.k - q, lanes);
      __m512i right[std::size_t{Columns}];
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j)
        right[j] = _mm512_maskz_loadu_epi8(kept, p.b + (column + j) * p.k + q);
      RIDGE_UNROLL
      for (int i = 0; i < Rows; ++i) {
        const __m512i left = _mm512_maskz_loadu_epi8(kept, p.a + (row + i) * p.k + q);
        RIDGE_UNROLL
        for (int j = 0; j < Columns; ++j) sum[i][j] = _mm512_dpbusd_epi32(sum[i][j], left, right[j]);
      }
    }
    RIDGE_UNROLL
    for (int i = 0; i < Rows; ++i) {
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j)
        p.c[(row + i) * p.n + column + j] = _mm512_reduce_add_epi32(sum[i][j]);
    }
  }
};
#undef RIDGE_BF16
#undef RIDGE_VNNI
#endif

}  // namespace

#if defined(__x86_64__)
void dot_tiles_bf16(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint16_t* a,
                    const std::uint16_t* b, float* c) {
  require("avx512_bf16");
  walk_tiles<bf16_kernel>(bf16_product{m, n, k, a, b, c});
}

void dot_tiles_int8(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint8_t* a,
                    const std::int8_t* b, std::int32_t* c) {
  require("avx512_vnni");
  walk_tiles<int8_kernel>(int8_product{m, n, k, a, b, c});
}
#else
void dot_tiles_bf16(std::int64_t, std::int64_t, std::int64_t, const std::uint16_t*, const std::uint16_t*,
                    float*) {
  require("avx512_bf16");
}
void dot_tiles_int8(std::int64_t, std::int64_t, std::int64_t, const std::uint8_t*, const std::int8_t*,
                    std::int32_t*) {
  require("avx512_vnni");
}
#endif

}  // namespace ridge::cpu
