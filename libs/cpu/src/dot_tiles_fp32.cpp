// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/dot_tiles.hpp>

#include "tile_walk.hpp"
#include "unroll.hpp"

// As in sgemm_kernel.cpp: arrays of vectors need a size known at compile time.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dot_tiles_fp32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using wide = hn::ScalableTag<float>;
using fp32_product = row_product<float, float, float>;

struct fp32_kernel {
  static constexpr int rows = 4;
  static constexpr int columns = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // sums fit the registers

  template <int Rows, int Columns>
  static void tile(const fp32_product& p, std::int64_t row, std::int64_t column) {
    const wide d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const float* a = p.a + row * p.k;
    const float* b = p.b + column * p.k;
    hn::Vec<wide> sum[std::size_t{Rows}][std::size_t{Columns}];
    RIDGE_UNROLL
    for (int i = 0; i < Rows; ++i) {
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j) sum[i][j] = hn::Zero(d);
    }
    std::int64_t q = 0;
    for (; q + lanes <= p.k; q += lanes) {
      hn::Vec<wide> right[std::size_t{Columns}];
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j) right[j] = hn::LoadU(d, b + j * p.k + q);
      RIDGE_UNROLL
      for (int i = 0; i < Rows; ++i) {
        const auto left = hn::LoadU(d, a + i * p.k + q);
        RIDGE_UNROLL
        for (int j = 0; j < Columns; ++j) sum[i][j] = hn::MulAdd(left, right[j], sum[i][j]);
      }
    }
    RIDGE_UNROLL
    for (int i = 0; i < Rows; ++i) {
      RIDGE_UNROLL
      for (int j = 0; j < Columns; ++j) {
        float total = hn::GetLane(hn::SumOfLanes(d, sum[i][j]));
        for (auto t = q; t < p.k; ++t) total += a[i * p.k + t] * b[j * p.k + t];
        p.c[(row + i) * p.n + column + j] = total;
      }
    }
  }
};

}  // namespace
void export_dot_tiles(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
                      float* c) {
  walk_tiles<fp32_kernel>(fp32_product{m, n, k, a, b, c});
}
}  // namespace ridge::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::cpu {
HWY_EXPORT(export_dot_tiles);
void dot_tiles_fp32(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
                    float* c) {
  HWY_DYNAMIC_DISPATCH(export_dot_tiles)(m, n, k, a, b, c);
}
}  // namespace ridge::cpu
#endif
