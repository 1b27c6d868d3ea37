// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <ridge/mlp/plain_step.hpp>

namespace ridge::mlp {
namespace {

struct sample_state {
  std::vector<double> hidden, probability, hidden_gradient;
};

void forward(const shape& s, std::span<const float> x, const layers<const double>& p, sample_state& state) {
  std::ranges::copy(p.b1, state.hidden.begin());
  for (std::size_t k = 0; k < s.features; ++k) {
    for (std::size_t j = 0; j < s.hidden; ++j) state.hidden[j] += x[k] * p.w1[k * s.hidden + j];
  }
  for (auto& h : state.hidden) h = std::max(h, 0.0);
  std::ranges::copy(p.b2, state.probability.begin());
  for (std::size_t k = 0; k < s.hidden; ++k) {
    for (std::size_t c = 0; c < s.classes; ++c)
      state.probability[c] += state.hidden[k] * p.w2[k * s.classes + c];
  }
}

// Replaces logits by probabilities; returns -log of the label's probability.
double softmax(std::vector<double>& logits, std::size_t label) {
  const double top = std::ranges::max(logits);
  double sum = 0;
  for (const double v : logits) sum += std::exp(v - top);
  const double log_sum = std::log(sum) + top;
  const double loss = log_sum - logits[label];
  for (auto& v : logits) v = std::exp(v - log_sum);
  return loss;
}

void backward(const shape& s, std::span<const float> x, std::span<const double> error,
              const layers<const double>& p, const layers<double>& g, sample_state& state) {
  for (std::size_t k = 0; k < s.hidden; ++k) {
    double sum = 0;
    for (std::size_t c = 0; c < s.classes; ++c) {
      g.w2[k * s.classes + c] += state.hidden[k] * error[c];
      sum += error[c] * p.w2[k * s.classes + c];
    }
    state.hidden_gradient[k] = state.hidden[k] > 0 ? sum : 0;
    g.b1[k] += state.hidden_gradient[k];
  }
  for (std::size_t c = 0; c < s.classes; ++c) g.b2[c] += error[c];
  for (std::size_t k = 0; k < s.features; ++k) {
    for (std::size_t j = 0; j < s.hidden; ++j) g.w1[k * s.hidden + j] += x[k] * state.hidden_gradient[j];
  }
}

}  // namespace

double reference_gradient(const shape& s, const samples& batch, std::span<const double> parameters,
                          std::span<double> gradient) {
  const layers<const double> p(s, parameters);
  const layers<double> g(s, gradient);
  std::ranges::fill(gradient, 0.0);
  sample_state state{std::vector<double>(s.hidden), std::vector<double>(s.classes),
                     std::vector<double>(s.hidden)};
  const auto rows = static_cast<double>(batch.rows());
  double loss = 0;
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const auto x = batch.features.subspan(i * s.features, s.features);
    forward(s, x, p, state);
    loss += softmax(state.probability, batch.labels[i]) / rows;
    state.probability[batch.labels[i]] -= 1;
    for (auto& v : state.probability) v /= rows;
    backward(s, x, state.probability, p, g, state);
  }
  return loss;
}

}  // namespace ridge::mlp
