// SPDX-License-Identifier: Apache-2.0
#include <ridge/mlp/captured_step.hpp>

#include <ridge/mlp/plain_layers.hpp>

namespace ridge::mlp {

std::size_t captured_step::scratch_floats(const shape& s, std::size_t rows) {
  return rows * (2 * s.hidden + s.classes) + s.hidden * s.classes;
}

captured_step::captured_step(const shape& s, std::size_t rows, std::size_t batch, float rate,
                             const step_memory& m)
    : shape_(s), rows_(rows), batch_(batch), rate_(rate) {
  places layout{};
  layout.first_bias = s.features * s.hidden;
  layout.second = layout.first_bias + s.hidden;
  layout.second_bias = layout.second + s.hidden * s.classes;
  layout.hidden = m.scratch;
  layout.hidden_gradient = layout.hidden + rows * s.hidden;
  logits_ = layout.hidden_gradient + rows * s.hidden;
  transposed_ = logits_ + rows * s.classes;
  second_layer_ = m.weights + layout.second;
  record_forward(m, layout);
  record_backward(m, layout);
  record_biases(m, layout);
}

// The first operand of the first product is the batch, which is set when the step is replayed.
void captured_step::record_forward(const step_memory& m, const places& layout) {
  fused_product first{.row_step = shape_.features, .depth_step = 1, .b = m.weights, .c = layout.hidden};
  first.beside = m.weights + layout.first_bias;
  first.rows = rows_, first.columns = shape_.hidden, first.depth = shape_.features;
  forward_[0] = {kernel_of(followed_by::relu_bias), first};

  fused_product second{.a = layout.hidden, .row_step = shape_.hidden, .depth_step = 1, .b = second_layer_};
  second.c = logits_;
  second.beside = m.weights + layout.second_bias;
  second.rows = rows_, second.columns = shape_.classes, second.depth = shape_.hidden;
  forward_[1] = {kernel_of(followed_by::bias), second};
}

// The first operand of the last product is the batch, which is set when the step is replayed.
void captured_step::record_backward(const step_memory& m, const places& layout) {
  fused_product error{.a = logits_, .row_step = shape_.classes, .depth_step = 1, .b = transposed_};
  error.c = layout.hidden_gradient;
  error.beside = layout.hidden;
  error.rows = rows_, error.columns = shape_.hidden, error.depth = shape_.classes;
  backward_[0] = {kernel_of(followed_by::masked), error};

  fused_product second{.a = layout.hidden, .row_step = 1, .depth_step = shape_.hidden, .b = logits_};
  second.c = m.updated + layout.second;
  second.beside = m.base + layout.second;
  second.gradient = m.gradient == nullptr ? nullptr : m.gradient + layout.second;
  second.rate = rate_;
  second.rows = shape_.hidden, second.columns = shape_.classes, second.depth = rows_;
  backward_[1] = {kernel_of(followed_by::descended), second};

  fused_product first{
      .row_step = 1, .depth_step = shape_.features, .b = layout.hidden_gradient, .c = m.updated};
  first.beside = m.base;
  first.gradient = m.gradient;
  first.rate = rate_;
  first.rows = shape_.features, first.columns = shape_.hidden, first.depth = rows_;
  backward_[2] = {kernel_of(followed_by::descended), first};
}

void captured_step::record_biases(const step_memory& m, const places& layout) {
  const auto update_of = [&](const float* rows, std::size_t offset, std::size_t width) {
    auto* const gradient = m.gradient == nullptr ? nullptr : m.gradient + offset;
    return vector_update{rows, m.base + offset, m.updated + offset, gradient, width};
  };
  biases_ = {update_of(layout.hidden_gradient, layout.first_bias, shape_.hidden),
             update_of(logits_, layout.second_bias, shape_.classes)};
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

}  // namespace ridge::mlp
