// SPDX-License-Identifier: Apache-2.0
#include <ridge/mlp/plain_step.hpp>

#include <ridge/mlp/plain_layers.hpp>

namespace ridge::mlp {

activations activations::in(const shape& s, std::size_t rows, std::span<float> memory) {
  const auto hidden = rows * s.hidden;
  const auto logits = rows * s.classes;
  return {memory.subspan(0, hidden), memory.subspan(2 * hidden, logits), memory.subspan(hidden, hidden)};
}

float plain_gradient(const shape& s, const samples& batch, std::span<const float> parameters,
                     const activations& scratch, std::span<float> gradient) {
  const auto rows = batch.rows();
  const layers<const float> p(s, parameters);
  const layers<float> g(s, gradient);
  const auto& [hidden, logits, hidden_gradient] = scratch;
  product(batch.features, p.w1, hidden, rows);
  add_bias(p.b1, hidden);
  relu(hidden);
  product(hidden, p.w2, logits, rows);
  add_bias(p.b2, logits);
  const float loss = softmax_loss(logits, batch.labels, rows);
  weight_gradient(hidden, logits, g.w2, rows);
  column_sums(logits, g.b2);
  input_gradient(logits, p.w2, hidden_gradient, rows);
  relu_gradient(hidden, hidden_gradient);
  weight_gradient(batch.features, hidden_gradient, g.w1, rows);
  column_sums(hidden_gradient, g.b1);
  return loss;
}

}  // namespace ridge::mlp
