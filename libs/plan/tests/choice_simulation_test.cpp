// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/choice_simulation.hpp>

#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

// 8 ms per step, 20 us per prompt token, 50 us per decoding sequence, 1 ns per token of its context.
class fixed_timer final : public serve::iteration_timer {
 public:
  [[nodiscard]] double seconds(const serve::iteration& i) const override {
    if (i.tokens() == 0) return 0;
    return line(i.decode_sequences) + 2e-5 * static_cast<double>(i.prefill_tokens) +
           1e-9 * static_cast<double>(i.decode_context);
  }
  [[nodiscard]] serve::decode_line decode(std::int64_t n, std::int64_t) const override {
    return {line(n), 1e-9, std::int64_t{1} << 40};
  }

 private:
  static double line(std::int64_t n) { return 8e-3 + 5e-5 * static_cast<double>(n); }
};

replica_offer offer_of_one_gpu() {
  return {.gpu = "X",
          .gpus = 1,
          .usd_per_gpu_hour = 3,
          .kv_tokens = 1 << 20,
          .timer = std::make_shared<fixed_timer>(),
          .max_sequences = 256,
          .max_step_tokens = 8192};
}

struct load_case {
  const char* name;
  double input, output, rate;
  latency_objective slo;
};

class closed_form : public ::testing::TestWithParam<load_case> {};

TEST_P(closed_form, agrees_with_the_simulator_within_its_band) {
  const auto& p = GetParam();
  const serving_load load{.requests_per_s = p.rate, .lengths = {{p.input, p.output, 1}}};
  const std::vector<replica_offer> offers{offer_of_one_gpu()};
  const auto sized = size_cluster(load, p.slo, {}, offers);
  ASSERT_TRUE(sized.ok());
  ASSERT_EQ(sized->choices.size(), 1u);
  const auto& c = sized->choices.front();
  const auto s = simulate_choice(c, offers.front(), load, p.slo, {}, {.requests = 5000});
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->met);
  EXPECT_EQ(s->requests, 5000);
  EXPECT_NEAR(c.peak.ttft_quantile_s / s->ttft_quantile_s, 1, cluster_band);
  EXPECT_NEAR(c.peak.tpot_quantile_s / s->tpot_quantile_s, 1, cluster_band);
  EXPECT_NEAR(c.peak.tpot_s / s->tpot_s, 1, 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    loads, closed_form,
    ::testing::Values(load_case{"chat", 1000, 250, 30, {.ttft_s = 0.5, .tpot_s = 0.04}},
                      load_case{"long_prompts", 6000, 150, 8, {.ttft_s = 2, .tpot_s = 0.08}},
                      load_case{"long_answers", 200, 1000, 20, {.ttft_s = 0.3, .tpot_s = 0.03}},
                      load_case{"one_replica_idles", 500, 100, 1, {.ttft_s = 0.3, .tpot_s = 0.03}}),
    [](const auto& choice) { return std::string(choice.param.name); });

TEST(cluster_simulation, sees_an_overload_that_a_choice_should_not_have) {
  const serving_load load{.requests_per_s = 30, .lengths = {{1000, 250, 1}}};
  const latency_objective slo{.ttft_s = 0.5, .tpot_s = 0.04};
  const std::vector<replica_offer> offers{offer_of_one_gpu()};
  auto c = size_cluster(load, slo, {}, offers).value().choices.front();
  c.replicas = 1;
  const auto s = simulate_choice(c, offers.front(), load, slo, {}, {.requests = 3000});
  ASSERT_TRUE(s.ok());
  EXPECT_FALSE(s->met);
}

TEST(cluster_simulation, is_the_same_for_the_same_seed) {
  const serving_load load{.requests_per_s = 10, .lengths = {{1000, 250, 1}, {200, 50, 3}}};
  const latency_objective slo{.ttft_s = 0.5, .tpot_s = 0.04};
  const std::vector<replica_offer> offers{offer_of_one_gpu()};
  const auto c = size_cluster(load, slo, {}, offers).value().choices.front();
  const auto of = [&](std::uint64_t seed) {
    return simulate_choice(c, offers.front(), load, slo, {}, {.requests = 500, .seed = seed}).value();
  };
  EXPECT_EQ(of(1).ttft_quantile_s, of(1).ttft_quantile_s);
  EXPECT_NE(of(1).ttft_quantile_s, of(2).ttft_quantile_s);
}

}  // namespace
}  // namespace ridge::plan
