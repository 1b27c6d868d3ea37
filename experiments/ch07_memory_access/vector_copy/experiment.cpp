// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <ridge/harness/experiment.hpp>

#include "vector_copy.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch07_vector_copy::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Copies four vectors an iteration; streaming stores need an aligned address and are visible on return.
template <bool Streaming>
void copy(std::span<const float> source, std::span<float> target) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), n = source.size();
  const float* x = source.data();
  float* y = target.data();
  const auto store = [&](hn::Vec<hn::ScalableTag<float>> v, std::size_t i) {
    if constexpr (Streaming) {
      hn::Stream(v, d, y + i);
    } else {
      hn::StoreU(v, d, y + i);
    }
  };
  std::size_t i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(y + i) % (lanes * sizeof(float)) != 0; ++i) y[i] = x[i];
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, x + i), v1 = hn::LoadU(d, x + i + lanes);
    const auto v2 = hn::LoadU(d, x + i + 2 * lanes), v3 = hn::LoadU(d, x + i + 3 * lanes);
    store(v0, i), store(v1, i + lanes), store(v2, i + 2 * lanes), store(v3, i + 3 * lanes);
  }
  for (; i < n; ++i) y[i] = x[i];
  if constexpr (Streaming) hwy::FlushStream();
}

void copy_vectors(std::span<const float> source, std::span<float> target) { copy<false>(source, target); }
void copy_streaming(std::span<const float> source, std::span<float> target) { copy<true>(source, target); }

}  // namespace ridge::experiments::ch07_vector_copy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_vector_copy {
HWY_EXPORT(copy_vectors);
HWY_EXPORT(copy_streaming);
namespace {

void scalar(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) {
    float element = w.source[i];
    asm volatile("" : "+m"(element));  // one element at a time: no vectors, no call of memcpy
    w.target[i] = element;
  }
}

void vectors(workload& w, call&) { HWY_DYNAMIC_DISPATCH(copy_vectors)(w.source, w.target); }
void streaming(workload& w, call&) { HWY_DYNAMIC_DISPATCH(copy_streaming)(w.source, w.target); }

void with_memcpy(workload& w, call&) {
  if (!w.source.empty()) std::memcpy(w.target.data(), w.source.data(), w.source.size_bytes());
}

// A written line is read first unless its store goes around the caches.
double cached_traffic(const problem& p) { return p.real("elements") * 3 * 4; }

ladder<workload> cpu() {
  return {
      {.name = "scalar",
       .is = role::baseline,
       .idea = "4 bytes an instruction",
       .run = scalar,
       .traffic = cached_traffic},
      {.name = "vectors",
       .idea = "a vector an instruction, four of them under way",
       .run = vectors,
       .traffic = cached_traffic},
      {.name = "streaming",
       .idea = "stores around the caches: no line is read to be overwritten",
       .run = streaming},
      {.name = "memcpy", .is = role::comparator, .idea = "the C library's copy", .run = with_memcpy},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.vector_copy",
      .title = "Wide loads and streaming stores",
      .question = "What do wider loads and streaming stores add to copies?",
      .answers = {"hbm3e_optimized_copy.cu", "basic_streams.cu", "K7.1", "B7.2"},
      .tags = {"memory", "bandwidth", "vectorization", "async-copy"},
      .axes = {on_cuda(values("elements", {1 << 23, 1 << 20}, {0, 1, 3, 4, 63, 65, 1025, 4097, 70001}),
                       {1 << 30, 1 << 26})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n));
          },
      .oracle = [](workload& w) { std::ranges::copy(w.source, w.target.begin()); },
      .element = [](const workload& w, std::size_t i) -> double { return w.source[i]; },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_vector_copy
#endif
