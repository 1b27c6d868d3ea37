// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "roofline_placement.hpp"

namespace ridge::experiments::ch01_roofline_placement {

void plain_add(workload& w, call&) {
  for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = w.a[i] + w.b[i];
}

// A sum of 2^22 products in one fp32 variable loses a third of its digits; the variable is wider for that.
void plain_dot(workload& w, call&) {
  double sum = 0;
  for (std::size_t i = 0; i < w.a.size(); ++i) sum += double{w.a[i] * w.b[i]};
  w.c[0] = as_float(sum);
}

void plain_softmax(workload& w, call&) {
  for (std::size_t i = 0; i < w.n; ++i) {
    const auto from = w.a.subspan(i * w.n, w.n);
    const auto to = w.c.subspan(i * w.n, w.n);
    const float most = *std::ranges::max_element(from);
    float sum = 0;
    for (std::size_t j = 0; j < w.n; ++j) sum += to[j] = std::exp(from[j] - most);
    for (std::size_t j = 0; j < w.n; ++j) to[j] /= sum;
  }
}

void plain_norm(workload& w, call&) {
  const auto size = as_float(w.n);
  for (std::size_t i = 0; i < w.n; ++i) {
    const auto from = w.a.subspan(i * w.n, w.n);
    const auto to = w.c.subspan(i * w.n, w.n);
    float sum = 0, squares = 0;
    for (const float x : from) sum += x;
    const float mean = sum / size;
    for (const float x : from) squares += (x - mean) * (x - mean);
    const float scale = 1 / std::sqrt(squares / size + norm_epsilon);
    for (std::size_t j = 0; j < w.n; ++j) to[j] = (from[j] - mean) * scale;
  }
}

void plain_gemv(workload& w, call&) {
  for (std::size_t i = 0; i < w.n; ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < w.n; ++j) sum += w.a[i * w.n + j] * w.b[j];
    w.c[i] = sum;
  }
}

// The inner loop runs over rows of b: its elements are consecutive and its products independent.
void plain_gemm(workload& w, call&) {
  std::ranges::fill(w.c, 0.0F);
  for (std::size_t i = 0; i < w.n; ++i) {
    float* const row = w.c.data() + i * w.n;
    for (std::size_t p = 0; p < w.n; ++p) {
      const float left = w.a[i * w.n + p];
      const float* const right = w.b.data() + p * w.n;
      for (std::size_t j = 0; j < w.n; ++j) row[j] += left * right[j];
    }
  }
}

}  // namespace ridge::experiments::ch01_roofline_placement
