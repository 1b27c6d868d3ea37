// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "graph_launch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch01_graph_launch {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vectors = hn::ScalableTag<float>;

template <class V, class P>
HWY_INLINE V apply(std::size_t kind, V y, V addend, P parameter) {
  switch (kind) {
    case 0:
      return hn::Mul(y, parameter);
    case 1:
      return hn::Add(y, addend);
    case 2:
      return hn::Max(y, parameter);
    default:
      return hn::Sub(y, parameter);
  }
}

// Calls each(tag, i) for every whole vector, then for every left-over element with a tag of one lane.
template <class Each>
HWY_INLINE void for_lanes(std::size_t begin, std::size_t end, Each each) {
  const vectors d;
  std::size_t i = begin;
  for (; i + hn::Lanes(d) <= end; i += hn::Lanes(d)) each(d, i);
  for (; i < end; ++i) each(hn::CappedTag<float, 1>(), i);
}

template <std::size_t Kind>
void one(const float* source, const float* addend, float parameter, float* target, std::size_t n) {
  for_lanes(0, n, [&](auto d, std::size_t i) {
    hn::StoreU(apply(Kind, hn::LoadU(d, source + i), hn::LoadU(d, addend + i), hn::Set(d, parameter)), d,
               target + i);
  });
}

void operation(const workload& w, std::size_t k) {
  const float* from = k == 0 ? w.source.data() : w.target.data();
  constexpr decltype(&one<0>) kernels[] = {one<0>, one<1>, one<2>, one<3>};
  kernels[k % 4](from, w.addend.data(), w.parameters[k], w.target.data(), w.target.size());
}

template <class D, class V>
HWY_INLINE V chain(D d, V y, V addend, const float* p) {
  for (std::size_t k = 0; k < chain_length; ++k) y = apply(k % 4, y, addend, hn::Set(d, p[k]));
  return y;
}

// Four vectors at a time: one chain of dependent operations alone would wait for its own latency.
HWY_INLINE void four_chains(const workload& w, std::size_t i) {
  const vectors d;
  const std::size_t lanes = hn::Lanes(d);
  const float *x = w.source.data() + i, *v = w.addend.data() + i, *p = w.parameters.data();
  auto y0 = hn::LoadU(d, x), y1 = hn::LoadU(d, x + lanes);
  auto y2 = hn::LoadU(d, x + 2 * lanes), y3 = hn::LoadU(d, x + 3 * lanes);
  const auto v0 = hn::LoadU(d, v), v1 = hn::LoadU(d, v + lanes);
  const auto v2 = hn::LoadU(d, v + 2 * lanes), v3 = hn::LoadU(d, v + 3 * lanes);
  for (std::size_t k = 0; k < chain_length; k += 4) {
    for (std::size_t kind = 0; kind < 4; ++kind) {
      const auto parameter = hn::Set(d, p[k + kind]);
      y0 = apply(kind, y0, v0, parameter), y1 = apply(kind, y1, v1, parameter);
      y2 = apply(kind, y2, v2, parameter), y3 = apply(kind, y3, v3, parameter);
    }
  }
  float* to = w.target.data() + i;
  hn::StoreU(y0, d, to), hn::StoreU(y1, d, to + lanes);
  hn::StoreU(y2, d, to + 2 * lanes), hn::StoreU(y3, d, to + 3 * lanes);
}

void fused(const workload& w) {
  const std::size_t n = w.target.size(), block = 4 * hn::Lanes(vectors());
  std::size_t i = 0;
  for (; i + block <= n; i += block) four_chains(w, i);
  for_lanes(i, n, [&](auto d, std::size_t element) {
    const auto y = hn::LoadU(d, w.source.data() + element), v = hn::LoadU(d, w.addend.data() + element);
    hn::StoreU(chain(d, y, v, w.parameters.data()), d, w.target.data() + element);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::experiments::ch01_graph_launch
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch01_graph_launch {

HWY_EXPORT(operation);
HWY_EXPORT(fused);

void run_operation(const workload& w, std::size_t k) { HWY_DYNAMIC_DISPATCH(operation)(w, k); }
void run_fused(const workload& w) { HWY_DYNAMIC_DISPATCH(fused)(w); }

}  // namespace ridge::experiments::ch01_graph_launch
#endif
