// SPDX-License-Identifier: Apache-2.0
#include "streaming_copy.hpp"

#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "streaming_copy.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch01_coalescing {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void copy(std::span<const float> from, std::span<float> to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), n = from.size();
  const float* x = from.data();
  float* y = to.data();
  std::size_t i = 0;
  // Non-temporal stores need an aligned address.
  for (; i < n && reinterpret_cast<std::uintptr_t>(y + i) % (lanes * sizeof(float)) != 0; ++i) y[i] = x[i];
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, x + i), v1 = hn::LoadU(d, x + i + lanes);
    const auto v2 = hn::LoadU(d, x + i + 2 * lanes), v3 = hn::LoadU(d, x + i + 3 * lanes);
    hn::Stream(v0, d, y + i), hn::Stream(v1, d, y + i + lanes);
    hn::Stream(v2, d, y + i + 2 * lanes), hn::Stream(v3, d, y + i + 3 * lanes);
  }
  for (; i < n; ++i) y[i] = x[i];
  hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::experiments::ch01_coalescing
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch01_coalescing {

HWY_EXPORT(copy);
void streaming_copy(std::span<const float> from, std::span<float> to) {
  HWY_DYNAMIC_DISPATCH(copy)(from, to);
}

}  // namespace ridge::experiments::ch01_coalescing
#endif
