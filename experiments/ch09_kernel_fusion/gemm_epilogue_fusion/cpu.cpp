// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/harness/experiment.hpp>

#include "gemm_epilogue_fusion.hpp"

// hwy's hyperbolic tangent takes a vector; SVE's have no size to keep several of them in registers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_gemm_epilogue_fusion::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// x = gelu(x + bias).
void bias_gelu(std::span<float> x, std::span<const float> bias) {
  constexpr float slope = 0.7978845608F, cubic = slope * 0.044715F;
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), whole = x.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto v = hn::Add(hn::LoadU(d, &x[i]), hn::LoadU(d, &bias[i]));
    const auto half = hn::Mul(hn::Set(d, 0.5F), v);
    const auto inner = hn::Mul(v, hn::MulAdd(hn::Set(d, cubic), hn::Mul(v, v), hn::Set(d, slope)));
    hn::StoreU(hn::MulAdd(half, hn::Tanh(d, inner), half), d, &x[i]);
  }
  for (std::size_t i = whole; i < x.size(); ++i) {
    const float v = x[i] + bias[i];
    x[i] = 0.5F * v * (1 + std::tanh(v * (slope + cubic * v * v)));
  }
}

// The largest magnitude of x and of `before`.
float largest(std::span<const float> x, float before) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), whole = x.size() / lanes * lanes;
  auto most = hn::Set(d, before);
  for (std::size_t i = 0; i < whole; i += lanes) most = hn::Max(most, hn::Abs(hn::LoadU(d, &x[i])));
  float all = hn::GetLane(hn::MaxOfLanes(d, most));
  for (std::size_t i = whole; i < x.size(); ++i) all = std::max(all, std::fabs(x[i]));
  return all;
}

}  // namespace ridge::experiments::ch09_gemm_epilogue_fusion::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_gemm_epilogue_fusion {
HWY_EXPORT(bias_gelu);
HWY_EXPORT(largest);
namespace {

// The operands in fp32, b transposed, and the product before it is rounded.
struct converted {
  std::span<float> a{}, b{}, bias{}, c{}, panels{};
};

converted make_converted(const workload& w, setup& s) {
  return {s.workspace<float>(as_count(w.m * w.k)), s.workspace<float>(as_count(w.k * w.n)),
          s.workspace<float>(as_count(w.n)), s.workspace<float>(as_count(w.m * w.n)),
          s.workspace<float>(cpu::sgemm_workspace(w.m, w.n, w.k))};
}

void convert(const workload& w, const converted& own) {
  for (std::int64_t i = 0; i < w.m; ++i)
    for (std::int64_t p = 0; p < w.k; ++p)
      own.a[as_count(i * w.k + p)] = float{w.a[as_count(i * w.pitch + p)]};
  for (std::int64_t p = 0; p < w.k; ++p)
    for (std::int64_t j = 0; j < w.n; ++j)
      own.b[as_count(p * w.n + j)] = float{w.b[as_count(j * w.pitch + p)]};
  std::ranges::transform(w.bias, own.bias.begin(), [](bf16 x) { return float{x}; });
}

void round(std::span<const float> from, std::span<bf16> target) {
  std::ranges::transform(from, target.begin(), [](float x) { return bf16(x); });
}

void store_largest(workload& w, float most) {
  if (!w.largest.empty()) w.largest[0] = float{bf16(most)};
}

auto by_passes(const workload& shape, setup& s) {
  return [own = make_converted(shape, s)](workload& w, call&) {
    convert(w, own);
    cpu::sgemm(w.m, w.n, w.k, own.a.data(), w.k, own.b.data(), w.n, own.c.data(), w.n, own.panels);
    const auto n = as_count(w.n);
    for (std::size_t first = 0; first < own.c.size(); first += n)
      HWY_DYNAMIC_DISPATCH(bias_gelu)(own.c.subspan(first, n), own.bias);
    if (!w.largest.empty()) store_largest(w, HWY_DYNAMIC_DISPATCH(largest)(own.c, 0));
    round(own.c, w.c);
  };
}

// 128 x 1024 sums, half a mebibyte, stay in a second-level cache until they are finished.
constexpr std::int64_t tile_rows = 128, tile_columns = 1024;

auto by_tiles(const workload& shape, setup& s) {
  return [own = make_converted(shape, s)](workload& w, call&) {
    convert(w, own);
    float most = 0;
    for (std::int64_t i = 0; i < w.m; i += tile_rows) {
      for (std::int64_t j = 0; j < w.n; j += tile_columns) {
        const auto rows = std::min(tile_rows, w.m - i), columns = std::min(tile_columns, w.n - j);
        const auto width = as_count(columns);
        cpu::sgemm(rows, columns, w.k, own.a.data() + i * w.k, w.k, own.b.data() + j, w.n, own.c.data(),
                   columns, own.panels);
        for (std::int64_t r = 0; r < rows; ++r) {
          const auto sums = own.c.subspan(as_count(r) * width, width);
          HWY_DYNAMIC_DISPATCH(bias_gelu)(sums, own.bias.subspan(as_count(j), width));
          if (!w.largest.empty()) most = HWY_DYNAMIC_DISPATCH(largest)(sums, most);
          round(sums, w.c.subspan(as_count((i + r) * w.n + j), width));
        }
      }
    }
    store_largest(w, most);
  };
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "three_passes",
       .is = role::baseline,
       .idea = "the whole product in fp32, then bias and unit, then the largest magnitude, then rounding",
       .run = by_passes,
       .arithmetic = arithmetic::bf16},
      {.name = "fused",
       .idea = "a tile of 128 x 1024 sums goes through all of it before the next is made",
       .run = by_tiles,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch09_gemm_epilogue_fusion
#endif
