// SPDX-License-Identifier: Apache-2.0
#include "sum_lanes.hpp"

#include <limits>

// These instruction sets would only repeat another's code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sum_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::device::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using wide = hn::CappedTag<double, 8>;
using lanes = hn::Vec<wide>;

HWY_INLINE lanes load(const double* source) { return hn::LoadU(wide(), source); }
HWY_INLINE lanes load(const float* source) {
  return hn::PromoteTo(wide(), hn::LoadU(hn::Rebind<float, wide>(), source));
}

struct sums {
  lanes sum, sum_abs, not_finite;
};

HWY_INLINE sums begin(const partial_sums& p, std::size_t lane) {
  return {load(p.sum + lane), load(p.sum_abs + lane), load(p.not_finite + lane)};
}

HWY_INLINE void take(sums& s, lanes x) {
  const lanes magnitude = hn::Abs(x);
  const auto finite = hn::Le(magnitude, hn::Set(wide(), std::numeric_limits<double>::max()));
  s.sum = hn::Add(s.sum, hn::IfThenElseZero(finite, x));
  s.sum_abs = hn::Add(s.sum_abs, hn::IfThenElseZero(finite, magnitude));
  s.not_finite = hn::Add(s.not_finite, hn::IfThenZeroElse(finite, hn::Set(wide(), 1.0)));
}

HWY_INLINE void end(const sums& s, partial_sums& p, std::size_t lane) {
  hn::StoreU(s.sum, wide(), p.sum + lane);
  hn::StoreU(s.sum_abs, wide(), p.sum_abs + lane);
  hn::StoreU(s.not_finite, wide(), p.not_finite + lane);
}

// Two vectors of lanes per pass fit into the registers of every instruction set.
template <class T>
HWY_INLINE void add_passes(partial_sums& partials, const T* HWY_RESTRICT source, std::size_t groups) {
  const std::size_t n = hn::Lanes(wide());
  for (std::size_t at = 0; at < partial_sums::lanes; at += 2 * n) {
    sums a = begin(partials, at), b = begin(partials, at + n);
    for (std::size_t g = 0; g < groups; ++g) {
      take(a, load(source + g * partial_sums::lanes + at));
      take(b, load(source + g * partial_sums::lanes + at + n));
    }
    end(a, partials, at);
    end(b, partials, at + n);
  }
}

void add_floats(partial_sums& sums, const float* source, std::size_t groups) {
  add_passes(sums, source, groups);
}
void add_doubles(partial_sums& sums, const double* source, std::size_t groups) {
  add_passes(sums, source, groups);
}

}  // namespace ridge::device::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::device {

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);

void add_groups(partial_sums& sums, const float* source, std::size_t groups) {
  HWY_DYNAMIC_DISPATCH(add_floats)(sums, source, groups);
}
void add_groups(partial_sums& sums, const double* source, std::size_t groups) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(sums, source, groups);
}

}  // namespace ridge::device
#endif
