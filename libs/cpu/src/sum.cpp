// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sum.hpp>

#include <cstddef>
#include <numeric>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Adds to as many vectors of sums as it is given and `More` that begin at zero. Parameters, because vectors
// whose size the compiler does not know cannot be elements of an array.
template <std::size_t More, class... Vectors>
HWY_INLINE float sum_side_by_side(std::span<const float> terms, Vectors... sums) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  if constexpr (More > 0) {
    return sum_side_by_side<More - 1>(terms, sums..., hn::Zero(d));
  } else {
    const float* from = terms.data();
    for (std::size_t left = terms.size() / (sizeof...(sums) * lanes); left > 0; --left)
      ((sums = hn::Add(sums, hn::LoadU(d, std::exchange(from, from + lanes)))), ...);
    auto all = hn::Zero(d);
    ((all = hn::Add(all, sums)), ...);
    return std::accumulate(from, terms.data() + terms.size(), hn::GetLane(hn::SumOfLanes(d, all)));
  }
}

float sum_1(std::span<const float> terms) { return sum_side_by_side<1>(terms); }
float sum_4(std::span<const float> terms) { return sum_side_by_side<4>(terms); }
float sum_8(std::span<const float> terms) { return sum_side_by_side<8>(terms); }

}  // namespace
}  // namespace ridge::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::cpu {
namespace {
HWY_EXPORT(sum_1);
HWY_EXPORT(sum_4);
HWY_EXPORT(sum_8);
}  // namespace

float sum_by_1_vector(std::span<const float> terms) { return HWY_DYNAMIC_DISPATCH(sum_1)(terms); }
float sum_by_4_vectors(std::span<const float> terms) { return HWY_DYNAMIC_DISPATCH(sum_4)(terms); }
float sum_by_8_vectors(std::span<const float> terms) { return HWY_DYNAMIC_DISPATCH(sum_8)(terms); }

}  // namespace ridge::cpu
#endif
