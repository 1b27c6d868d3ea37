// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "roofline_placement.hpp"

// hwy's exponential takes a vector; SVE's have no size to keep four of them in an array.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectorized.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <hwy/contrib/math/math-inl.h>
#pragma GCC diagnostic pop

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch01_roofline_placement::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using wide = hn::ScalableTag<float>;
using vector = hn::Vec<wide>;

void add_all(const float* a, const float* b, float* c, std::size_t count) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, c + i);
  for (; i < count; ++i) c[i] = a[i] + b[i];
}

// Keeps four sums, because an addition takes four cycles and two can start in each.
float dot_of(const float* a, const float* b, std::size_t count) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  vector sum[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    for (std::size_t s = 0; s < 4; ++s) {
      sum[s] = hn::MulAdd(hn::LoadU(d, a + i + s * lanes), hn::LoadU(d, b + i + s * lanes), sum[s]);
    }
  }
  float total = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
  for (; i < count; ++i) total += a[i] * b[i];
  return total;
}

float largest(const float* source, std::size_t count) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  auto most = hn::Set(d, source[0]);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) most = hn::Max(most, hn::LoadU(d, source + i));
  float all = hn::GetLane(hn::MaxOfLanes(d, most));
  for (; i < count; ++i) all = std::max(all, source[i]);
  return all;
}

// Writes the row's exponentials to `target` and returns their sum.
float exponentials(const float* source, float* target, std::size_t count, float most) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, source + i), hn::Set(d, most)));
    hn::StoreU(e, d, target + i);
    sum = hn::Add(sum, e);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) total += target[i] = std::exp(source[i] - most);
  return total;
}

// target = (source - shift) * scale
void rescale(const float* source, float* target, std::size_t count, float shift, float scale) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::Mul(hn::Sub(hn::LoadU(d, source + i), hn::Set(d, shift)), hn::Set(d, scale)), d,
               target + i);
  }
  for (; i < count; ++i) target[i] = (source[i] - shift) * scale;
}

void softmax(const float* source, float* target, std::size_t count) {
  const float sum = exponentials(source, target, count, largest(source, count));
  rescale(target, target, count, 0, 1 / sum);
}

// Returns the sum of (source - shift)^Power; Power is 1 or 2.
template <int Power>
float moment_sum(const float* source, std::size_t count, float shift) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::Sub(hn::LoadU(d, source + i), hn::Set(d, shift));
    sum = Power == 2 ? hn::MulAdd(x, x, sum) : hn::Add(sum, x);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) total += (source[i] - shift) * (Power == 2 ? source[i] - shift : 1.0F);
  return total;
}

void norm(const float* source, float* target, std::size_t count) {
  const auto size = as_float(count);
  const float mean = moment_sum<1>(source, count, 0) / size;
  const float variance = moment_sum<2>(source, count, mean) / size;
  rescale(source, target, count, mean, 1 / std::sqrt(variance + norm_epsilon));
}

}  // namespace

void export_add(const float* a, const float* b, float* c, std::size_t count) { add_all(a, b, c, count); }
float export_dot(const float* a, const float* b, std::size_t count) { return dot_of(a, b, count); }
void export_softmax(const float* source, float* target, std::size_t count) { softmax(source, target, count); }
void export_norm(const float* source, float* target, std::size_t count) { norm(source, target, count); }

}  // namespace ridge::experiments::ch01_roofline_placement::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch01_roofline_placement {

HWY_EXPORT(export_add);
HWY_EXPORT(export_dot);
HWY_EXPORT(export_softmax);
HWY_EXPORT(export_norm);

void add(const float* a, const float* b, float* c, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(export_add)(a, b, c, count);
}
float dot(const float* a, const float* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(export_dot)(a, b, count);
}
void softmax_row(const float* source, float* target, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(export_softmax)(source, target, count);
}
void norm_row(const float* source, float* target, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(export_norm)(source, target, count);
}

}  // namespace ridge::experiments::ch01_roofline_placement
#endif
