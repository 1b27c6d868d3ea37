// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>

#include <ridge/harness/experiment.hpp>

#include "warp_divergence.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_warp_divergence::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V linear_of(D d, V v, unsigned steps) {
  const auto minus = hn::Set(d, -rate);
  for (unsigned s = 0; s < steps; ++s) v = hn::MulAdd(minus, v, v);
  return v;
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cubic_of(D d, V v, unsigned steps) {
  const auto minus = hn::Set(d, -rate);
  for (unsigned s = 0; s < steps; ++s) v = hn::MulAdd(hn::Mul(minus, v), hn::Mul(v, v), v);
  return v;
}

// Both sides of whole vectors of `x`, from which `y` takes one by a mask; returns how many elements that is.
std::size_t both_sides(std::span<const float> x, std::span<float> y, unsigned steps) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= x.size(); i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, x.data() + i);
    const auto above = hn::Gt(v, hn::Zero(d));
    hn::StoreU(hn::IfThenElse(above, linear_of(d, v, steps), cubic_of(d, v, steps)), d, y.data() + i);
  }
  return i;
}

// One side of all elements of `values`, in place; their number is a multiple of every vector's lanes.
void one_side(std::span<float> values, bool above, unsigned steps) {
  const hn::ScalableTag<float> d;
  for (std::size_t i = 0; i < values.size(); i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, values.data() + i);
    hn::StoreU(above ? linear_of(d, v, steps) : cubic_of(d, v, steps), d, values.data() + i);
  }
}

}  // namespace ridge::experiments::ch08_warp_divergence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_warp_divergence {
HWY_EXPORT(both_sides);
HWY_EXPORT(one_side);
namespace {

template <class Number>
Number after_steps(Number v, unsigned steps) {
  const Number r = rate;
  if (v > 0)
    for (unsigned s = 0; s < steps; ++s) v -= r * v;
  else
    for (unsigned s = 0; s < steps; ++s) v -= r * v * (v * v);
  return v;
}

void branchy(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) w.target[i] = after_steps(w.source[i], w.steps);
}

void masked(workload& w, call&) {
  std::size_t i = HWY_DYNAMIC_DISPATCH(both_sides)(w.source, w.target, w.steps);
  for (; i < w.source.size(); ++i) w.target[i] = after_steps(w.source[i], w.steps);
}

// Elements of one side, and where each came from. The room beyond a tile is for the rest of a last vector.
constexpr std::size_t tile = 4096, most_lanes = 64;
struct side {
  std::array<float, tile + most_lanes> values;
  std::array<std::uint16_t, tile + 1> places;
  std::size_t count;

  // Counts the element where it is `mine`; the next one overwrites it otherwise: no branch.
  void take(float value, std::size_t place, bool mine) {
    values[count] = value;
    places[count] = static_cast<std::uint16_t>(place);
    count += mine ? 1 : 0;
  }
  void finish(bool above, unsigned steps, std::span<float> target) {
    const auto whole = (count + most_lanes - 1) / most_lanes * most_lanes;
    std::ranges::fill(std::span(values).subspan(count, whole - count), 0.F);
    HWY_DYNAMIC_DISPATCH(one_side)(std::span(values).first(whole), above, steps);
    for (std::size_t k = 0; k < count; ++k) target[places[k]] = values[k];
    count = 0;
  }
};

auto sorted(workload&, setup& s) {
  return [sides = s.workspace<side>(2)](workload& w, call&) {
    for (std::size_t begin = 0; begin < w.source.size(); begin += tile) {
      const auto x = w.source.subspan(begin, std::min(tile, w.source.size() - begin));
      for (std::size_t i = 0; i < x.size(); ++i) {
        sides[0].take(x[i], i, !(x[i] > 0));
        sides[1].take(x[i], i, x[i] > 0);
      }
      for (const bool above : {false, true})
        sides[above].finish(above, w.steps, w.target.subspan(begin, x.size()));
    }
  };
}

double expected(const workload& w, std::size_t index) {
  return after_steps(double{w.source[index]}, w.steps);
}

constexpr auto vectors = "a vector of elements an instruction, and no branch to mispredict";

ladder<workload> cpu() {
  return {
      {.name = "branchy",
       .is = role::baseline,
       .idea = "half of the branches go the way that was not predicted",
       .run = branchy},
      {.name = "masked",
       .idea = "a vector pays both sides, and a mask takes one",
       .run = masked,
       .explanation = vectors},
      {.name = "sorted",
       .idea = "elements of one side side by side: a vector pays one side",
       .run = sorted,
       .explanation = vectors},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.warp_divergence",
      .title = "Two sides of a branch in one warp",
      .question = "What do both sides of a branch cost a warp?",
      .answers = {"warp_divergence_pytorch.py", "K8.4", "B8.4"},
      .tags = {"divergence", "branches", "simd"},
      .axes = {between(on_cuda(values("steps", {32, 256}, {0, 1}), {512, 64}), 0, 1 << 16),
               between(
                   on_cuda(values("elements", {1 << 15}, {0, 1, 31, 33, 255, 257, 2049, 8195}), {1 << 24}), 0,
                   (1U << 31) - 1)},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{as_unsigned(p.count("steps")), m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n))
                .with_flop((2 + 4) / 2.0 * p.real("steps") * p.real("elements"));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = [](const problem& p) { return accumulation(p.real("steps") + 1, 0x1p-24); },
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_warp_divergence
#endif
