// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "arithmetic_intensity.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "passes.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch01_arithmetic_intensity::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using wide = hn::ScalableTag<float>;

constexpr std::size_t line_bytes = 64;
constexpr std::size_t line = line_bytes / sizeof(float), page = 4096 / sizeof(float);
// A prefetcher follows one stream in each page: four of them keep more lines on the way. 23 instead of 16
// GB/s on the reference machine; two or eight pages 22.
constexpr std::size_t pages_at_once = 4;

template <std::size_t First, std::size_t Last>
float apply(float x) {
  for (std::size_t i = First; i < Last; ++i) x = chain[i](x);
  return x;
}

template <std::size_t First, std::size_t Last>
HWY_INLINE hn::Vec<wide> apply(wide d, hn::Vec<wide> x) {
  for (std::size_t i = First; i < Last; ++i) {
    x = hn::Add(hn::Mul(x, hn::Set(d, chain[i].scale)), hn::Set(d, chain[i].shift));
  }
  return x;
}

template <std::size_t First, std::size_t Last>
void pass(const float* source, float* target, std::size_t n) {
  const wide d;
  const auto lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto first = hn::LoadU(d, source + i), second = hn::LoadU(d, source + i + lanes);
    hn::StoreU(apply<First, Last>(d, first), d, target + i);
    hn::StoreU(apply<First, Last>(d, second), d, target + i + lanes);
  }
  for (; i < n; ++i) target[i] = apply<First, Last>(source[i]);
}

void one(std::size_t index, const float* source, float* target, std::size_t n) {
  constexpr decltype(&pass<0, 1>) each[] = {pass<0, 1>, pass<1, 2>, pass<2, 3>, pass<3, 4>};
  each[index](source, target, n);
}

void two(std::size_t index, const float* source, float* target, std::size_t n) {
  constexpr decltype(&pass<0, 2>) each[] = {pass<0, 2>, pass<1, 3>, pass<2, 4>};
  each[index](source, target, n);
}

void all(const float* source, float* target, std::size_t n) { pass<0, 4>(source, target, n); }

// Stores one line around the caches; `target` is at a line's beginning.
HWY_INLINE void stream_line(const float* source, float* target) {
  const wide d;
  for (std::size_t j = 0; j < line; j += hn::Lanes(d))
    hn::Stream(apply<0, 4>(d, hn::LoadU(d, source + j)), d, target + j);
}

void all_streaming(const float* source, float* target, std::size_t n) {
  const auto past = reinterpret_cast<std::uintptr_t>(target) % line_bytes / sizeof(float);
  std::size_t i = std::min(n, (line - past) % line);
  pass<0, 4>(source, target, i);
  for (; i + pages_at_once * page <= n; i += pages_at_once * page) {
    for (std::size_t j = i; j < i + page; j += line) {
      for (std::size_t k = j; k < j + pages_at_once * page; k += page) stream_line(source + k, target + k);
    }
  }
  for (; i + line <= n; i += line) stream_line(source + i, target + i);
  pass<0, 4>(source + i, target + i, n - i);
  hwy::FlushStream();
}

}  // namespace

void export_one(std::size_t index, const float* source, float* target, std::size_t n) {
  one(index, source, target, n);
}
void export_two(std::size_t index, const float* source, float* target, std::size_t n) {
  two(index, source, target, n);
}
void export_all(const float* source, float* target, std::size_t n) { all(source, target, n); }
void export_streaming(const float* source, float* target, std::size_t n) { all_streaming(source, target, n); }

}  // namespace ridge::experiments::ch01_arithmetic_intensity::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch01_arithmetic_intensity {

HWY_EXPORT(export_one);
HWY_EXPORT(export_two);
HWY_EXPORT(export_all);
HWY_EXPORT(export_streaming);

void apply_one(std::size_t index, const float* source, float* target, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(export_one)(index, source, target, n);
}
void apply_two(std::size_t index, const float* source, float* target, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(export_two)(index, source, target, n);
}
void apply_all(const float* source, float* target, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(export_all)(source, target, n);
}
void apply_all_streaming(const float* source, float* target, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(export_streaming)(source, target, n);
}

}  // namespace ridge::experiments::ch01_arithmetic_intensity
#endif
