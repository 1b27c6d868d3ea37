// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_threshold_predicate {

// target[i] is one polynomial of source[i] above the threshold and another below, or at, it.
struct workload {
  input<float> source{};
  output<float> target{};
};
inline constexpr float threshold = 0;

// Returns the polynomial whose coefficients, the highest first, are c, by Horner's scheme.
template <class Number, std::size_t Count>
constexpr Number polynomial(const std::array<float, Count>& c, Number x) {
  Number sum = c[0];
  for (std::size_t k = 1; k < Count; ++k) sum = sum * x + c[k];
  return sum;
}
// The coefficients of both sides; functions, because a kernel may call them.
constexpr std::array<float, 9> coefficients_above() {
  return {0.05F, 0.5F, -0.4375F, 0.375F, -0.3125F, 0.25F, -0.1875F, 0.125F, 1};
}
constexpr std::array<float, 9> coefficients_below() {
  return {-0.03F, 0.25F, 0.28125F, -0.3125F, 0.34375F, -0.375F, 0.40625F, 0.4375F, -1};
}
template <class Number>
constexpr Number above(Number x) {
  return polynomial(coefficients_above(), x);
}
template <class Number>
constexpr Number below(Number x) {
  return polynomial(coefficients_below(), x);
}

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a kernel of kernels.cu: a branch around each polynomial; both and a select; the same for 16
// bytes of elements at once.
void launch_branch(const workload& w, stream queue);
void launch_predicated(const workload& w, stream queue);
void launch_vectorized(const workload& w, stream queue);

}  // namespace ridge::experiments::ch08_threshold_predicate
