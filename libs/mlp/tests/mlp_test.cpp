// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/vendor/openblas.hpp>

#include <ridge/mlp/captured_step.hpp>
#include <ridge/mlp/plain_layers.hpp>
#include <ridge/mlp/plain_step.hpp>

namespace ridge::mlp {
namespace {

struct example {
  example(const shape& example_shape, std::size_t rows)
      : s(example_shape), features(rows * example_shape.features), labels(rows) {
    std::mt19937 draw(static_cast<unsigned>(7 * rows + example_shape.hidden));
    std::normal_distribution<float> normal;
    for (auto& v : features) v = normal(draw);
    for (auto& v : labels) v = static_cast<std::uint8_t>(draw() % s.classes);
    for (std::size_t i = 0; i < s.parameters(); ++i) parameters.push_back(0.3F * normal(draw));
    exact.assign(parameters.begin(), parameters.end());
  }
  [[nodiscard]] samples batch() const { return {features, labels}; }
  [[nodiscard]] double loss_at(std::size_t parameter, double shift) const {
    auto moved = exact;
    moved[parameter] += shift;
    std::vector<double> unused(exact.size());
    return reference_gradient(s, batch(), moved, unused);
  }
  shape s;
  std::vector<float> features, parameters{};
  std::vector<std::uint8_t> labels;
  std::vector<double> exact{};
};

TEST(reference_gradient, equals_finite_differences_of_the_loss) {
  const example e({7, 5, 3}, 6);
  std::vector<double> gradient(e.exact.size());
  reference_gradient(e.s, e.batch(), e.exact, gradient);
  constexpr double shift = 1e-6;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double slope = (e.loss_at(i, shift) - e.loss_at(i, -shift)) / (2 * shift);
    EXPECT_NEAR(gradient[i], slope, 1e-7) << "parameter " << i;
  }
}

TEST(reference_gradient, of_no_rows_is_zero) {
  const example e({3, 2, 2}, 0);
  std::vector<double> gradient(e.exact.size(), 1.0);
  EXPECT_EQ(reference_gradient(e.s, e.batch(), e.exact, gradient), 0.0);
  EXPECT_EQ(gradient, std::vector<double>(e.exact.size(), 0.0));
}

class step_of : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  step_of() : e({37, std::get<0>(GetParam()), 10}, std::get<1>(GetParam())), expected(e.exact.size()) {
    loss = reference_gradient(e.s, e.batch(), e.exact, expected);
  }
  void expect_near(const std::vector<float>& gradient) const {
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(gradient[i], expected[i], 2e-5) << i;
  }
  example e;
  std::vector<double> expected;
  double loss = 0;
};

TEST_P(step_of, plain_layers_equals_the_reference) {
  std::vector<float> memory(activations::floats(e.s, e.batch().rows())), gradient(e.exact.size(), 1.0F);
  const auto scratch = activations::in(e.s, e.batch().rows(), memory);
  EXPECT_NEAR(plain_gradient(e.s, e.batch(), e.parameters, scratch, gradient), loss, 2e-5);
  expect_near(gradient);
}

TEST_P(step_of, openblas_equals_the_reference) {
  if (const auto found = vendor::find_openblas(); !found) GTEST_SKIP() << found.why().text();
  std::vector<float> memory(activations::floats(e.s, e.batch().rows())), gradient(e.exact.size(), 1.0F);
  const auto scratch = activations::in(e.s, e.batch().rows(), memory);
  EXPECT_NEAR(blas_gradient(e.s, e.batch(), e.parameters, scratch, gradient), loss, 2e-5);
  expect_near(gradient);
}

TEST_P(step_of, recorded_operations_equals_the_reference_and_updates_in_place) {
  const auto rows = e.batch().rows();
  std::vector<float> scratch(captured_step::scratch_floats(e.s, rows)), gradient(e.exact.size(), 1.0F);
  auto weights = e.parameters;
  captured_step step(e.s, rows, rows, 0.5F,
                     {weights.data(), weights.data(), weights.data(), gradient.data(), scratch.data()});
  EXPECT_NEAR(step.replay(e.features.data(), e.labels.data()), loss, 2e-5);
  expect_near(gradient);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ASSERT_NEAR(weights[i], e.exact[i] - 0.5 * expected[i], 2e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(ragged_sizes, step_of,
                         testing::Combine(testing::Values(1, 15, 16, 33, 64), testing::Values(1, 2, 5, 32)));

TEST(softmax_loss, of_equal_logits_is_the_logarithm_of_the_classes) {
  std::vector<float> logits(8, 3.0F);
  const std::vector<std::uint8_t> labels{0, 3};
  EXPECT_NEAR(softmax_loss(logits, labels, 2), std::log(4.0), 1e-6);
  EXPECT_NEAR(logits[0], (0.25 - 1) / 2, 1e-7);
  EXPECT_NEAR(logits[1], 0.25 / 2, 1e-7);
}

TEST(softmax_loss, stays_finite_for_large_logits) {
  std::vector<float> logits{1000.0F, -1000.0F};
  EXPECT_FLOAT_EQ(softmax_loss(logits, std::vector<std::uint8_t>{1}, 1), 2000.0F);
}

}  // namespace
}  // namespace ridge::mlp
