// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/vendor/openblas.hpp>

#include <ridge/mlp/plain_layers.hpp>
#include <ridge/mlp/plain_step.hpp>

namespace ridge::mlp {
namespace {

struct operand {
  std::span<const float> values;
  std::size_t columns;  // as stored, before the transposition
  bool transposed = false;
};

// c (m x n) = a (m x k) b (k x n), all row-major.
void multiply(const operand& a, const operand& b, std::span<float> c, std::size_t m, std::size_t n,
              std::size_t k) {
  const auto as_int = [](std::size_t v) { return static_cast<int>(v); };
  const auto transposition = [](const operand& o) {
    return o.transposed ? vendor::cblas_trans : vendor::cblas_no_trans;
  };
  cblas_sgemm(vendor::cblas_row_major, transposition(a), transposition(b), as_int(m), as_int(n), as_int(k), 1,
              a.values.data(), as_int(a.columns), b.values.data(), as_int(b.columns), 0, c.data(), as_int(n));
}

}  // namespace

float blas_gradient(const shape& s, const samples& batch, std::span<const float> parameters,
                    const activations& scratch, std::span<float> gradient) {
  const auto rows = batch.rows();
  const layers<const float> p(s, parameters);
  const layers<float> g(s, gradient);
  const auto& [hidden, logits, hidden_gradient] = scratch;
  if (rows == 0) std::ranges::fill(gradient, 0.0F);
  if (rows == 0) return 0;
  multiply({batch.features, s.features}, {p.w1, s.hidden}, hidden, rows, s.hidden, s.features);
  add_bias(p.b1, hidden);
  relu(hidden);
  multiply({hidden, s.hidden}, {p.w2, s.classes}, logits, rows, s.classes, s.hidden);
  add_bias(p.b2, logits);
  const float loss = softmax_loss(logits, batch.labels, rows);
  multiply({hidden, s.hidden, true}, {logits, s.classes}, g.w2, s.hidden, s.classes, rows);
  column_sums(logits, g.b2);
  multiply({logits, s.classes}, {p.w2, s.classes, true}, hidden_gradient, rows, s.hidden, s.classes);
  relu_gradient(hidden, hidden_gradient);
  multiply({batch.features, s.features, true}, {hidden_gradient, s.hidden}, g.w1, s.features, s.hidden, rows);
  column_sums(hidden_gradient, g.b1);
  return loss;
}

}  // namespace ridge::mlp
