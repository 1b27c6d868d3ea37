// SPDX-License-Identifier: Apache-2.0
#include <ridge/mlp/plain_layers.hpp>

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plain_layers.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::mlp::HWY_NAMESPACE {
namespace {

void add_scaled(float a, const float* HWY_RESTRICT x, float* HWY_RESTRICT y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] += a * x[j];
}

void product(const float* x, const float* w, float* y, std::size_t rows, std::size_t inputs,
             std::size_t outputs) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < outputs; ++j) y[i * outputs + j] = 0;
    for (std::size_t k = 0; k < inputs; ++k)
      add_scaled(x[i * inputs + k], w + k * outputs, y + i * outputs, outputs);
  }
}

void weight_gradient(const float* x, const float* dy, float* dw, std::size_t rows, std::size_t inputs,
                     std::size_t outputs) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < inputs; ++k)
      add_scaled(x[i * inputs + k], dy + i * outputs, dw + k * outputs, outputs);
  }
}

void descend(const float* HWY_RESTRICT gradient, float rate, float* HWY_RESTRICT parameters, std::size_t n) {
  add_scaled(-rate, gradient, parameters, n);
}

}  // namespace
}  // namespace ridge::mlp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::mlp {

HWY_EXPORT(product);
HWY_EXPORT(weight_gradient);
HWY_EXPORT(descend);

void product(std::span<const float> x, std::span<const float> w, std::span<float> y, std::size_t rows) {
  if (rows == 0) return;
  HWY_DYNAMIC_DISPATCH(product)(x.data(), w.data(), y.data(), rows, x.size() / rows, y.size() / rows);
}

void weight_gradient(std::span<const float> x, std::span<const float> dy, std::span<float> dw,
                     std::size_t rows) {
  std::ranges::fill(dw, 0.0F);
  if (rows == 0) return;
  HWY_DYNAMIC_DISPATCH(weight_gradient)
  (x.data(), dy.data(), dw.data(), rows, x.size() / rows, dy.size() / rows);
}

void input_gradient(std::span<const float> dy, std::span<const float> w, std::span<float> dx,
                    std::size_t rows) {
  if (rows == 0) return;
  const std::size_t inputs = dx.size() / rows, outputs = dy.size() / rows;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < inputs; ++k) {
      float sum = 0;
      for (std::size_t j = 0; j < outputs; ++j) sum += dy[i * outputs + j] * w[k * outputs + j];
      dx[i * inputs + k] = sum;
    }
  }
}

void add_bias(std::span<const float> bias, std::span<float> y) {
  const auto width = bias.size();
  for (std::size_t at = 0; at < y.size(); at += width) {
    for (std::size_t j = 0; j < width; ++j) y[at + j] += bias[j];
  }
}

void relu(std::span<float> y) {
  for (auto& v : y) v = v > 0 ? v : 0;
}

void relu_gradient(std::span<const float> y, std::span<float> dy) {
  for (std::size_t i = 0; i < y.size(); ++i) dy[i] = y[i] > 0 ? dy[i] : 0;
}

void column_sums(std::span<const float> y, std::span<float> sums) {
  std::ranges::fill(sums, 0.0F);
  for (std::size_t at = 0; at < y.size(); at += sums.size()) {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += y[at + j];
  }
}

float softmax_loss(std::span<float> logits, std::span<const std::uint8_t> labels, std::size_t batch) {
  if (labels.empty()) return 0;
  const auto classes = logits.size() / labels.size();
  const float share = 1 / static_cast<float>(batch);
  float loss = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = logits.subspan(i * classes, classes);
    const float top = *std::ranges::max_element(row);
    const float target = row[labels[i]] - top;
    float sum = 0;
    for (auto& v : row) sum += v = std::exp(v - top);
    loss += std::log(sum) - target;
    for (auto& v : row) v *= share / sum;
    row[labels[i]] -= share;
  }
  return loss / static_cast<float>(labels.size());
}

void descend(std::span<const float> gradient, float rate, std::span<float> parameters) {
  HWY_DYNAMIC_DISPATCH(descend)(gradient.data(), rate, parameters.data(), parameters.size());
}

}  // namespace ridge::mlp
#endif
