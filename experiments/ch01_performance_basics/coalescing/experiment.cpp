// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <ridge/harness/experiment.hpp>

#include "coalescing.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch01_coalescing::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Copies by non-temporal vector stores, which need an aligned address; visible to other threads on return.
void copy(std::span<const float> source, std::span<float> target) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), n = source.size();
  const float* x = source.data();
  float* y = target.data();
  std::size_t i = 0;
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

}  // namespace ridge::experiments::ch01_coalescing::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch01_coalescing {
HWY_EXPORT(copy);
namespace {

// 16 KiB of the source and 16 KiB of the target stay in any first-level cache of 32 KiB or more.
constexpr std::size_t tile_elements = 4096;

void copy_strided(workload& w, std::size_t begin, std::size_t end) {
  for (std::size_t start = begin; start < std::min(begin + w.stride, end); ++start) {
    for (std::size_t i = start; i < end; i += w.stride) w.target[i] = w.source[i];
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

// A written line is read first unless its store goes around the caches.
double cached_traffic(const problem& p) { return p.real("elements") * 3 * 4; }
// A line of 64 bytes is fetched for each element of a wide stride, and again for the next element in it.
double strided_traffic(const problem& p) { return cached_traffic(p) * std::min(p.real("stride"), 16.0); }

// Why gains over the strided baseline exceed ten times.
constexpr auto one_element_per_line =
    "the baseline moves a line of sixteen elements for each one that it uses, and finds few of them cached";

ladder<workload> cpu() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "a whole cache line is fetched for each element",
       .run = strided,
       .traffic = strided_traffic,
       .traffic_reason = "where the arrays fit the last cache, lines come from there and not from memory"},
      {.name = "tiled",
       .idea = "the same stride inside 16 KiB: a line's other elements are asked for while it is cached",
       .run = tiled,
       .traffic = cached_traffic},
      {.name = "contiguous",
       .idea = "every byte of a fetched line is used at once",
       .run = contiguous,
       .traffic = cached_traffic,
       .explanation = one_element_per_line},
      {.name = "streaming",
       .idea = "full lines are stored around the caches: none is read to be overwritten",
       .run = streaming,
       .explanation = one_element_per_line},
      {.name = "memcpy", .is = role::comparator, .idea = "the C library's copy", .run = with_memcpy},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.coalescing",
      .title = "Contiguous against strided access",
      .question = "How does bandwidth fall as the access stride grows?",
      .answers = {"baseline_coalescing.py", "optimized_coalescing.py"},
      .tags = {"memory", "access-pattern"},
      .axes = {between(values("stride", {64, 32, 16, 8, 4, 2, 1}), 1, 1 << 20),
               on_cuda(values("elements", {1 << 21, 1 << 24}, {0, 1, 63, 4097}), {1 << 26})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{p.count("stride"), m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n));
          },
      .oracle = [](workload& w) { std::ranges::copy(w.source, w.target.begin()); },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_coalescing
#endif
