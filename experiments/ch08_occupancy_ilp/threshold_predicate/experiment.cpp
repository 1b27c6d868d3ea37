// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "threshold_predicate.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_threshold_predicate::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V, std::size_t Count>
HWY_INLINE V polynomial_of(D d, const std::array<float, Count>& c, V x) {
  V sum = hn::Set(d, c[0]);
  for (std::size_t k = 1; k < Count; ++k) sum = hn::MulAdd(sum, x, hn::Set(d, c[k]));
  return sum;
}

void select_vectors(std::span<const float> source, std::span<float> target) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= source.size(); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, source.data() + i);
    const auto high = hn::Gt(x, hn::Set(d, threshold));
    const auto y = hn::IfThenElse(high, polynomial_of(d, coefficients_above(), x),
                                  polynomial_of(d, coefficients_below(), x));
    hn::StoreU(y, d, target.data() + i);
  }
  for (; i < source.size(); ++i) target[i] = source[i] > threshold ? above(source[i]) : below(source[i]);
}

}  // namespace ridge::experiments::ch08_threshold_predicate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_threshold_predicate {
HWY_EXPORT(select_vectors);
namespace {

void branch(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) {
    const float x = w.source[i];
    if (x > threshold)
      w.target[i] = above(x);
    else
      w.target[i] = below(x);
  }
}

void masked(workload& w, call&) { HWY_DYNAMIC_DISPATCH(select_vectors)(w.source, w.target); }

double expected(const workload& w, std::size_t index) {
  const double x = w.source[index];
  return x > threshold ? above(x) : below(x);
}

constexpr auto vectors = "a vector of elements an instruction, and no branch to mispredict";

ladder<workload> cpu() {
  return {
      {.name = "branch",
       .is = role::baseline,
       .idea = "half of the branches go the way that was not predicted",
       .run = branch},
      {.name = "masked", .idea = "a vector of both sides, and a mask", .run = masked, .explanation = vectors},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.threshold_predicate",
      .title = "A threshold: branch against select",
      .question = "Is a select cheaper than a divergent branch?",
      .answers = {"threshold_naive.cu", "threshold_predicated.cu", "K8.6"},
      .tags = {"branches", "divergence", "simd"},
      .axes = {on_cuda(values("elements", {1 << 20}, {0, 1, 3, 4, 15, 16, 17, 1027, 4099}), {1 << 28})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, uniform{.lo = -1, .hi = 1}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n))
                .with_flop(2.0 * (coefficients_above().size() - 1) * p.real("elements"));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = tolerance{.abs = 32 * 0x1p-24},  // sixteen operations round values below 3
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_threshold_predicate
#endif
