// SPDX-License-Identifier: Apache-2.0
#include "sgemm_kernel.hpp"

#include <utility>

#include "unroll.hpp"

// Arrays of vectors need a vector size that is known at compile time, which SVE and RISC-V do not have; NEON
// is used there. SSE4 and AVX3_DL would compile to the same code as SSSE3 and AVX3.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sgemm_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// 14 x 2 accumulators, two of B and one of A fill the 32 registers of AVX-512; 6 x 2 the 16 of the others.
constexpr std::size_t full_rows = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 14 : 6;
using wide = hn::ScalableTag<float>;
using vector = hn::Vec<wide>;

// Distance of the prefetch in rows of B. The second-level cache answers in 14 cycles, the time of one row,
// but B is also fetched from further away. The prefetch gains 5 % of a 1024³ product.
constexpr std::int64_t ahead = 8;

template <std::size_t Vectors>
HWY_INLINE void prefetch(const float* row) {
  hwy::Prefetch(row);
  if (Vectors * hn::MaxLanes(wide()) > 16) hwy::Prefetch(row + 16);
}

template <std::size_t Rows, std::size_t Vectors>
HWY_INLINE void store(const sgemm_tile& t, vector (&sum)[Rows][Vectors]) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  const auto stride = static_cast<std::size_t>(t.c_stride);
  RIDGE_UNROLL
  for (std::size_t i = 0; i < Rows; ++i) {
    float* row = t.c + i * stride;
    RIDGE_UNROLL
    for (std::size_t v = 0; v < Vectors; ++v) {
      const auto old = t.accumulate ? hn::LoadU(d, row + v * lanes) : hn::Zero(d);
      hn::StoreU(hn::Add(old, sum[i][v]), d, row + v * lanes);
    }
  }
}

template <std::size_t Rows, std::size_t Vectors, bool Packed>
HWY_NOINLINE void compute(const sgemm_tile& t) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  vector sum[Rows][Vectors];
  RIDGE_UNROLL
  for (std::size_t i = 0; i < Rows; ++i) {
    prefetch<Vectors>(t.c + static_cast<std::int64_t>(i) * t.c_stride);
    RIDGE_UNROLL
    for (std::size_t v = 0; v < Vectors; ++v) sum[i][v] = hn::Zero(d);
  }
  const float* HWY_RESTRICT a = t.a;
  const float* HWY_RESTRICT b = t.b;
  const auto a_stride = static_cast<std::size_t>(Packed ? sgemm_panel_stride : t.a_stride);
  for (std::int64_t p = 0; p < t.k; ++p) {
    vector right[Vectors];
    RIDGE_UNROLL
    for (std::size_t v = 0; v < Vectors; ++v) right[v] = hn::LoadU(d, b + v * lanes);
    prefetch<Vectors>(b + ahead * t.b_stride);
    RIDGE_UNROLL
    for (std::size_t i = 0; i < Rows; ++i) {
      const auto left = hn::Set(d, a[i * a_stride]);
      RIDGE_UNROLL
      for (std::size_t v = 0; v < Vectors; ++v) sum[i][v] = hn::MulAdd(left, right[v], sum[i][v]);
    }
    ++a;
    b += t.b_stride;
  }
  store<Rows, Vectors>(t, sum);
}

void pack_columns(const float* HWY_RESTRICT source, std::int64_t from_stride, std::int64_t rows,
                  float* HWY_RESTRICT target) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  for (std::int64_t p = 0; p < rows; ++p, source += from_stride, target += 2 * lanes) {
    prefetch<2>(source + ahead * from_stride);
    hn::Store(hn::LoadU(d, source), d, target);
    hn::Store(hn::LoadU(d, source + lanes), d, target + lanes);
  }
}

template <std::size_t... Index>
sgemm_kernel make_kernel(std::index_sequence<Index...>) {
  sgemm_kernel made{
      .rows = full_rows, .lanes = static_cast<std::int64_t>(hn::Lanes(wide())), .pack_columns = pack_columns};
  ((made.packed[Index][0] = compute<Index + 1, 1, true>), ...);
  ((made.packed[Index][1] = compute<Index + 1, 2, true>), ...);
  ((made.in_place[Index][0] = compute<Index + 1, 1, false>), ...);
  ((made.in_place[Index][1] = compute<Index + 1, 2, false>), ...);
  return made;
}

const sgemm_kernel& kernel() {
  static const auto made = make_kernel(std::make_index_sequence<full_rows>());
  return made;
}

}  // namespace
const sgemm_kernel& exported_kernel() { return kernel(); }
}  // namespace ridge::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::cpu {
HWY_EXPORT(exported_kernel);
const sgemm_kernel& best_sgemm_kernel() { return HWY_DYNAMIC_DISPATCH(exported_kernel)(); }
}  // namespace ridge::cpu
#endif
