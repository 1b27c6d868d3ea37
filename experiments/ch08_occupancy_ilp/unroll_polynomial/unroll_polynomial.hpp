// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch08_unroll_polynomial {

// values[i] is the polynomial at points[i]: the sum over k of coefficients[k] * points[i]^k.
struct workload {
  input<float> points{};
  input<float> coefficients{};
  output<float> values{};
};
inline constexpr unsigned degree = 32;

// Returns the polynomial of `Count` coefficients, a power of two up to 32, from `c` on by Estrin's scheme:
// two halves that do not wait for each other, joined by a power of x. `p2` is x^2, `p4` x^4, and so on.
template <unsigned Count>
constexpr float estrin(const float* c, float x, float p2, float p4, float p8, float p16) {
  if constexpr (Count == 1) {
    return *c;
  } else {
    constexpr unsigned half = Count / 2;
    const float power = half == 1 ? x : half == 2 ? p2 : half == 4 ? p4 : half == 8 ? p8 : p16;
    return estrin<half>(c + half, x, p2, p4, p8, p16) * power + estrin<half>(c, x, p2, p4, p8, p16);
  }
}
// Returns the polynomial of degree 32 at x.
constexpr float by_estrin(const float* c, float x) {
  const float p2 = x * x, p4 = p2 * p2, p8 = p4 * p4, p16 = p8 * p8;
  return c[degree] * (p16 * p16) + estrin<degree>(c, x, p2, p4, p8, p16);
}

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a kernel of kernels.cu: Horner's scheme in a loop; the same and Estrin's scheme without a
// loop; both for four or eight points a thread.
void launch_serial(const workload& w, stream queue);
void launch_unrolled(const workload& w, stream queue);
void launch_estrin(const workload& w, stream queue);
void launch_four_points(const workload& w, stream queue);
void launch_eight_points(const workload& w, stream queue);
void launch_estrin_eight_points(const workload& w, stream queue);

}  // namespace ridge::experiments::ch08_unroll_polynomial
