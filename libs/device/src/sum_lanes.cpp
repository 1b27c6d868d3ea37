// SPDX-License-Identifier: Apache-2.0
#include "sum_lanes.hpp"

#include <limits>

// Instruction sets that would only repeat another's code.
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

HWY_INLINE lanes load(const double* from) { return hn::LoadU(wide(), from); }
HWY_INLINE lanes load(const float* from) {
  return hn::PromoteTo(wide(), hn::LoadU(hn::Rebind<float, wide>(), from));
}

struct sums {
  lanes sum, sum_abs, not_finite;
};

HWY_INLINE sums begin(const partial_sums& p, std::size_t at) {
  return {load(p.sum + at), load(p.sum_abs + at), load(p.not_finite + at)};
}

HWY_INLINE void take(sums& s, lanes x) {
  const lanes magnitude = hn::Abs(x);
  const auto finite = hn::Le(magnitude, hn::Set(wide(), std::numeric_limits<double>::max()));
  s.sum = hn::Add(s.sum, hn::IfThenElseZero(finite, x));
  s.sum_abs = hn::Add(s.sum_abs, hn::IfThenElseZero(finite, magnitude));
  s.not_finite = hn::Add(s.not_finite, hn::IfThenZeroElse(finite, hn::Set(wide(), 1.0)));
}

HWY_INLINE void end(const sums& s, partial_sums& p, std::size_t at) {
  hn::StoreU(s.sum, wide(), p.sum + at);
  hn::StoreU(s.sum_abs, wide(), p.sum_abs + at);
  hn::StoreU(s.not_finite, wide(), p.not_finite + at);
}

// Two vectors of lanes a pass: what every instruction set's registers hold.
template <class T>
HWY_INLINE void add_passes(partial_sums& to, const T* HWY_RESTRICT from, std::size_t groups) {
  const std::size_t n = hn::Lanes(wide());
  for (std::size_t at = 0; at < partial_sums::lanes; at += 2 * n) {
    sums a = begin(to, at), b = begin(to, at + n);
    for (std::size_t g = 0; g < groups; ++g) {
      take(a, load(from + g * partial_sums::lanes + at));
      take(b, load(from + g * partial_sums::lanes + at + n));
    }
    end(a, to, at);
    end(b, to, at + n);
  }
}

void add_floats(partial_sums& to, const float* from, std::size_t groups) { add_passes(to, from, groups); }
void add_doubles(partial_sums& to, const double* from, std::size_t groups) { add_passes(to, from, groups); }

}  // namespace ridge::device::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::device {

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);

void add_groups(partial_sums& to, const float* from, std::size_t groups) {
  HWY_DYNAMIC_DISPATCH(add_floats)(to, from, groups);
}
void add_groups(partial_sums& to, const double* from, std::size_t groups) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(to, from, groups);
}

}  // namespace ridge::device
#endif
