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
  // Number of weights and biases of both layers.
  [[nodiscard]] constexpr std::size_t parameters() const {
    return (features + 1) * hidden + (hidden + 1) * classes;
  }
  // Floating-point operations of a training step per sample: forward 2 per weight; backward 4 per weight of
  // the second layer and 2 per weight of the first, whose inputs need no gradient.
  [[nodiscard]] constexpr double flop_per_sample() const {
    return static_cast<double>(4 * features * hidden + 6 * hidden * classes);
  }
};

// The parameters, or their gradient, as parts of one flat array: w1 (features x hidden, row-major), b1, w2
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

// Rows of `shape::features` floats with one class each.
struct samples {
  std::span<const float> features{};
  std::span<const std::uint8_t> labels{};
  // Number of rows, which is the number of labels.
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
  // The `count` rows from `first_row` on.
  [[nodiscard]] samples part(std::size_t first_row, std::size_t count) const {
    const auto width = rows() == 0 ? 0 : features.size() / rows();
    return {features.subspan(first_row * width, count * width), labels.subspan(first_row, count)};
  }
};

// Scales weights of variance 1 in `unit` to variance 1 / (inputs of their layer) and writes them to
// `parameters`; biases become zero. Both spans hold shape::parameters() values.
template <class T>
void initialise(const shape& s, std::span<const float> unit, std::span<T> parameters) {
  const layers<T> target(s, parameters);
  const layers<const float> source(s, unit);
  const double first = 1 / std::sqrt(static_cast<double>(s.features));
  const double second = 1 / std::sqrt(static_cast<double>(s.hidden));
  for (std::size_t i = 0; i < target.w1.size(); ++i) target.w1[i] = static_cast<T>(first * source.w1[i]);
  for (std::size_t i = 0; i < target.w2.size(); ++i) target.w2[i] = static_cast<T>(second * source.w2[i]);
  for (auto& b : target.b1) b = 0;
  for (auto& b : target.b2) b = 0;
}

}  // namespace ridge::mlp
