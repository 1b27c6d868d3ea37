// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::mlp {

// A perceptron with one hidden layer: logits = relu(x w1 + b1) w2 + b2, trained on the softmax cross-entropy.
struct shape {
  std::size_t features = 0;
  std::size_t hidden = 0;
  std::size_t classes = 0;
  [[nodiscard]] constexpr std::size_t parameters() const {
    return (features + 1) * hidden + (hidden + 1) * classes;
  }
  // Forward 2 per weight, backward 4 per weight of the second layer and 2 of the first, whose inputs need no
  // gradient.
  [[nodiscard]] constexpr double flop_per_sample() const {
    return static_cast<double>(4 * features * hidden + 6 * hidden * classes);
  }
};

// The parameters (or their gradient) as they lie in one flat array: w1 (features x hidden, row-major), b1, w2
// (hidden x classes, row-major), b2.
template <class T>
struct layers {
  layers(const shape& s, std::span<T> flat)
      : w1(flat.subspan(0, s.features * s.hidden)),
        b1(flat.subspan(w1.size(), s.hidden)),
        w2(flat.subspan(w1.size() + b1.size(), s.hidden * s.classes)),
        b2(flat.subspan(w1.size() + b1.size() + w2.size(), s.classes)) {}
  std::span<T> w1, b1, w2, b2;
};

// Rows of `shape::features` floats with one class each; the number of labels is the number of rows.
struct samples {
  std::span<const float> features{};
  std::span<const std::uint8_t> labels{};
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  [[nodiscard]] samples part(std::size_t from, std::size_t count) const {
    const auto width = rows() == 0 ? 0 : features.size() / rows();
    return {features.subspan(from * width, count * width), labels.subspan(from, count)};
  }
};

// Weights of variance 1 become weights of variance 1 / inputs of their layer; biases become zero.
template <class T>
void initialise(const shape& s, std::span<const float> unit, std::span<T> parameters) {
  const layers<T> to(s, parameters);
  const layers<const float> from(s, unit);
  const double first = 1 / std::sqrt(static_cast<double>(s.features));
  const double second = 1 / std::sqrt(static_cast<double>(s.hidden));
  for (std::size_t i = 0; i < to.w1.size(); ++i) to.w1[i] = static_cast<T>(first * from.w1[i]);
  for (std::size_t i = 0; i < to.w2.size(); ++i) to.w2[i] = static_cast<T>(second * from.w2[i]);
  for (auto& b : to.b1) b = 0;
  for (auto& b : to.b2) b = 0;
}

}  // namespace ridge::mlp
