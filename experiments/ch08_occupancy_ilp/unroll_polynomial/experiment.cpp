// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <ridge/harness/experiment.hpp>

#include "unroll_polynomial.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_unroll_polynomial::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using floats = hn::ScalableTag<float>;

// Horner's scheme for as many vectors of points as it is given and `More` that it loads, side by side.
// Parameters, because vectors whose size the compiler does not know cannot be elements of an array.
template <std::size_t More, class... Vectors>
HWY_INLINE void horner_side_by_side(const float* c, const float* next, float* values, Vectors... x) {
  const floats d;
  if constexpr (More > 0) {
    horner_side_by_side<More - 1>(c, next + hn::Lanes(d), values, x..., hn::LoadU(d, next));
  } else {
    [&](auto... sums) HWY_ATTR {
      for (unsigned k = degree; k-- > 0;) {
        const auto term = hn::Set(d, c[k]);
        ((sums = hn::MulAdd(sums, x, term)), ...);
      }
      (hn::StoreU(sums, d, std::exchange(values, values + hn::Lanes(d))), ...);
    }((static_cast<void>(x), hn::Set(d, c[degree]))...);
  }
}

void horner(std::span<const float> points, const float* c, std::span<float> values) {
  const std::size_t width = 4 * hn::Lanes(floats());
  std::size_t i = 0;
  for (; i + width <= points.size(); i += width)
    horner_side_by_side<4>(c, points.data() + i, values.data() + i);
  for (; i < points.size(); ++i) values[i] = by_estrin(c, points[i]);
}

template <unsigned Count, class V>
HWY_INLINE V estrin_of(const float* c, V x, V p2, V p4, V p8, V p16) {
  if constexpr (Count == 2) {
    return hn::MulAdd(hn::Set(floats(), c[1]), x, hn::Set(floats(), c[0]));
  } else {
    constexpr unsigned half = Count / 2;
    const V high = estrin_of<half>(c + half, x, p2, p4, p8, p16),
            low = estrin_of<half>(c, x, p2, p4, p8, p16);
    if constexpr (half == 2) return hn::MulAdd(high, p2, low);
    if constexpr (half == 4) return hn::MulAdd(high, p4, low);
    if constexpr (half == 8) return hn::MulAdd(high, p8, low);
    return hn::MulAdd(high, p16, low);
  }
}

void estrin_vectors(std::span<const float> points, const float* c, std::span<float> values) {
  const floats d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= points.size(); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, points.data() + i), p2 = hn::Mul(x, x), p4 = hn::Mul(p2, p2);
    const auto p8 = hn::Mul(p4, p4), p16 = hn::Mul(p8, p8), last = hn::Set(d, c[degree]);
    const auto low = estrin_of<degree>(c, x, p2, p4, p8, p16);
    hn::StoreU(hn::MulAdd(last, hn::Mul(p16, p16), low), d, values.data() + i);
  }
  for (; i < points.size(); ++i) values[i] = by_estrin(c, points[i]);
}

}  // namespace ridge::experiments::ch08_unroll_polynomial::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_unroll_polynomial {
HWY_EXPORT(horner);
HWY_EXPORT(estrin_vectors);
namespace {

float by_horner(std::span<const float> c, float x) {
  float sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

void serial(workload& w, call&) {
  for (std::size_t i = 0; i < w.points.size(); ++i) w.values[i] = by_horner(w.coefficients, w.points[i]);
}

void four_points(workload& w, call&) {
  const float* c = w.coefficients.data();
  std::size_t i = 0;
  for (; i + 4 <= w.points.size(); i += 4) {
    std::array<float, 4> sums{};
    for (unsigned k = degree + 1; k-- > 0;)
      for (std::size_t j = 0; j < 4; ++j) sums[j] = sums[j] * w.points[i + j] + c[k];
    for (std::size_t j = 0; j < 4; ++j) w.values[i + j] = sums[j];
  }
  for (; i < w.points.size(); ++i) w.values[i] = by_horner(w.coefficients, w.points[i]);
}

void estrin_serial(workload& w, call&) {
  const float* c = w.coefficients.data();
  for (std::size_t i = 0; i < w.points.size(); ++i) w.values[i] = by_estrin(c, w.points[i]);
}

void horner_simd(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(horner)(w.points, w.coefficients.data(), w.values);
}
void estrin_simd(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(estrin_vectors)(w.points, w.coefficients.data(), w.values);
}

double expected(const workload& w, std::size_t index) {
  double sum = 0;
  for (std::size_t k = w.coefficients.size(); k-- > 0;) sum = sum * w.points[index] + w.coefficients[k];
  return sum;
}

constexpr auto vectors =
    "a vector of points an instruction, and no multiply-add that waits for the one before";

ladder<workload> cpu() {
  return {
      {.name = "serial",
       .is = role::baseline,
       .idea = "Horner's scheme: each step waits for the one before",
       .run = serial},
      {.name = "four_points", .idea = "four points side by side", .run = four_points},
      {.name = "estrin",
       .idea = "halves that do not wait for each other",
       .run = estrin_serial,
       .explanation = "no step waits for the one before, and the compiler takes four points at once"},
      {.name = "horner_simd",
       .idea = "Horner's scheme for four vectors of points",
       .run = horner_simd,
       .explanation = vectors},
      {.name = "estrin_simd",
       .idea = "Estrin's scheme for a vector of points",
       .run = estrin_simd,
       .explanation = vectors},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.unroll_polynomial",
      .title = "A polynomial by Horner and by Estrin",
      .question = "What do unrolling and Estrin's form buy over Horner?",
      .answers = {"loop_unrolling.cu", "K8.5"},
      .tags = {"compute", "ilp", "unrolling"},
      .axes = {on_cuda(values("points", {1 << 18}, {0, 1, 3, 4, 63, 64, 65, 1027}), {1 << 26})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("points");
            // No power of a point is so small that it has fewer digits, which processors are slow at.
            return workload{m.in<float>(n, uniform{.lo = 0.25, .hi = 1}), m.in<float>(degree + 1, normal{}),
                            m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("points");
            return work::streaming(reads<float>(n) + reads<float>(degree + 1), writes<float>(n))
                .with_flop(2.0 * degree * p.real("points"));
          },
      .oracle = each_element(&workload::values, expected),
      .element = expected,
      .within = accumulation(2 * degree, 0x1p-24),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_unroll_polynomial
#endif
