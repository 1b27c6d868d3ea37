// SPDX-License-Identifier: Apache-2.0
#include "oracles.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridge::experiments::ch01_roofline_placement {
namespace {

void expect_softmax_row(input<float> source, output<float> target) {
  const double most = *std::ranges::max_element(source);
  std::vector<double> exponential(source.size());
  double sum = 0;
  for (std::size_t i = 0; i < source.size(); ++i) sum += exponential[i] = std::exp(source[i] - most);
  for (std::size_t i = 0; i < source.size(); ++i) target[i] = static_cast<float>(exponential[i] / sum);
}

void expect_norm_row(input<float> source, output<float> target) {
  const auto count = static_cast<double>(source.size());
  double sum = 0, squares = 0;
  for (const float x : source) sum += x;
  const double mean = sum / count;
  for (const float x : source) squares += (x - mean) * (x - mean);
  const double scale = 1 / std::sqrt(squares / count + double{norm_epsilon});
  for (std::size_t i = 0; i < source.size(); ++i) target[i] = static_cast<float>((source[i] - mean) * scale);
}

}  // namespace

void expect_vector_add(workload& w) {
  for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = w.a[i] + w.b[i];
}

void expect_dot(workload& w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.a.size(); ++i) sum += double{w.a[i]} * double{w.b[i]};
  w.c[0] = static_cast<float>(sum);
}

void expect_softmax(workload& w) {
  for (std::size_t i = 0; i < w.n; ++i)
    expect_softmax_row(w.a.subspan(i * w.n, w.n), w.c.subspan(i * w.n, w.n));
}

void expect_norm(workload& w) {
  for (std::size_t i = 0; i < w.n; ++i) expect_norm_row(w.a.subspan(i * w.n, w.n), w.c.subspan(i * w.n, w.n));
}

void expect_gemv(workload& w) {
  for (std::size_t i = 0; i < w.n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < w.n; ++j) sum += double{w.a[i * w.n + j]} * double{w.b[j]};
    w.c[i] = static_cast<float>(sum);
  }
}

double gemm_element(const workload& w, std::size_t index) {
  double sum = 0;
  for (std::size_t p = 0; p < w.n; ++p)
    sum += double{w.a[index / w.n * w.n + p]} * double{w.b[p * w.n + index % w.n]};
  return sum;
}

void expect_gemm(workload& w) {
  for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = static_cast<float>(gemm_element(w, i));
}

}  // namespace ridge::experiments::ch01_roofline_placement
