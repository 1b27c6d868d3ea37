// SPDX-License-Identifier: Apache-2.0
#include "coalescing.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch01_coalescing {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Copies by non-temporal vector stores; visible to other threads on return.
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

namespace {

// 16 KiB of the source and 16 KiB of the target stay in any first-level cache of 32 KiB or more.
constexpr std::size_t tile_elements = 4096;

void copy_strided(workload& w, std::size_t from, std::size_t to) {
  const auto stride = w.stride;
  for (std::size_t start = from; start < std::min(from + stride, to); ++start) {
    for (std::size_t i = start; i < to; i += stride) w.target[i] = w.source[i];
  }
}

void strided(workload& w, call&) { copy_strided(w, 0, w.source.size()); }

void tiled(workload& w, call&) {
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; i += tile_elements) copy_strided(w, i, std::min(i + tile_elements, n));
}

void contiguous(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = w.source[i];
}

void streaming(workload& w, call&) { HWY_DYNAMIC_DISPATCH(copy)(w.source, w.target); }

void with_memcpy(workload& w, call&) {
  if (!w.source.empty()) std::memcpy(w.target.data(), w.source.data(), w.source.size_bytes());
}

// A line of 64 bytes is fetched for each element of a wide stride, and again for the next element in it.
double strided_traffic(const problem& p) {
  const auto touched = std::min(p.real("stride"), 16.0);
  return p.real("elements") * 3 * 4 * touched;
}

// A written line is read first unless its store goes around the caches.
double cached_traffic(const problem& p) { return p.real("elements") * 3 * 4; }

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "a whole cache line is fetched for each element",
       .run = strided,
       .traffic = strided_traffic},
      {.name = "tiled",
       .idea = "the same stride inside 16 KiB: a line's other elements are asked for while it is cached",
       .run = tiled,
       .traffic = cached_traffic},
      {.name = "contiguous",
       .idea = "every byte of a fetched line is used at once",
       .run = contiguous,
       .traffic = cached_traffic},
      {.name = "streaming",
       .idea = "full lines are stored around the caches: none is read to be overwritten",
       .run = streaming},
      {.name = "memcpy", .is = role::comparator, .idea = "the C library's copy", .run = with_memcpy},
  };
}

}  // namespace ridge::experiments::ch01_coalescing
#endif
