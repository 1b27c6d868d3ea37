// SPDX-License-Identifier: Apache-2.0
#include "captured_step.hpp"

#include "plain_layers.hpp"

namespace ridge::experiments::ch01_mlp {

std::size_t captured_step::scratch_floats(const shape& s, std::size_t rows) {
  return rows * (2 * s.hidden + s.classes) + s.hidden * s.classes;
}

captured_step::captured_step(const shape& s, std::size_t rows, std::size_t batch, float rate,
                             const step_memory& m)
    : shape_(s), rows_(rows), batch_(batch), rate_(rate) {
  const auto first_bias = s.features * s.hidden;
  const auto second = first_bias + s.hidden;
  const auto second_bias = second + s.hidden * s.classes;
  const auto gradient = [&](std::size_t at) { return m.gradient == nullptr ? nullptr : m.gradient + at; };
  float* const hidden = m.scratch;
  float* const hidden_gradient = hidden + rows * s.hidden;
  logits_ = hidden_gradient + rows * s.hidden;
  transposed_ = logits_ + rows * s.classes;
  second_layer_ = m.weights + second;

  forward_[0] = {kernel_of(followed_by::relu_bias),
                 {.row_step = s.features,
                  .depth_step = 1,
                  .b = m.weights,
                  .c = hidden,
                  .beside = m.weights + first_bias,
                  .rows = rows,
                  .columns = s.hidden,
                  .depth = s.features}};
  forward_[1] = {kernel_of(followed_by::bias),
                 {.a = hidden,
                  .row_step = s.hidden,
                  .depth_step = 1,
                  .b = second_layer_,
                  .c = logits_,
                  .beside = m.weights + second_bias,
                  .rows = rows,
                  .columns = s.classes,
                  .depth = s.hidden}};
  backward_[0] = {kernel_of(followed_by::masked),
                  {.a = logits_,
                   .row_step = s.classes,
                   .depth_step = 1,
                   .b = transposed_,
                   .c = hidden_gradient,
                   .beside = hidden,
                   .rows = rows,
                   .columns = s.hidden,
                   .depth = s.classes}};
  backward_[1] = {kernel_of(followed_by::descended),
                  {.a = hidden,
                   .row_step = 1,
                   .depth_step = s.hidden,
                   .b = logits_,
                   .c = m.updated + second,
                   .beside = m.base + second,
                   .gradient = gradient(second),
                   .rate = rate,
                   .rows = s.hidden,
                   .columns = s.classes,
                   .depth = rows}};
  backward_[2] = {kernel_of(followed_by::descended),
                  {.row_step = 1,
                   .depth_step = s.features,
                   .b = hidden_gradient,
                   .c = m.updated,
                   .beside = m.base,
                   .gradient = gradient(0),
                   .rate = rate,
                   .rows = s.features,
                   .columns = s.hidden,
                   .depth = rows}};
  biases_[0] = {hidden_gradient, m.base + first_bias, m.updated + first_bias, gradient(first_bias), s.hidden};
  biases_[1] = {logits_, m.base + second_bias, m.updated + second_bias, gradient(second_bias), s.classes};
}

float captured_step::replay(const float* features, const std::uint8_t* labels) {
  forward_.front().product.a = features;
  backward_.back().product.a = features;
  for (const auto& o : forward_) o.kernel(o.product);
  const float loss = softmax_loss({logits_, rows_ * shape_.classes}, {labels, rows_}, batch_);
  transpose_second_layer();
  for (const auto& o : backward_) o.kernel(o.product);
  for (const auto& b : biases_) update(b);
  return loss;
}

// The second layer is updated in place before the first: the masked product reads this copy.
void captured_step::transpose_second_layer() const {
  for (std::size_t k = 0; k < shape_.hidden; ++k) {
    for (std::size_t c = 0; c < shape_.classes; ++c) {
      transposed_[c * shape_.hidden + k] = second_layer_[k * shape_.classes + c];
    }
  }
}

void captured_step::update(const vector_update& v) const {
  for (std::size_t j = 0; j < v.width; ++j) {
    float sum = 0;
    for (std::size_t i = 0; i < rows_; ++i) sum += v.rows_of[i * v.width + j];
    v.updated[j] = v.base[j] - rate_ * sum;
    if (v.gradient != nullptr) v.gradient[j] = sum;
  }
}

}  // namespace ridge::experiments::ch01_mlp
