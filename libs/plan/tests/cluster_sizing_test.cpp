// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cluster_sizing.hpp>

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct step_costs {
  double step_s = 0, prompt_token_s = 0, sequence_s = 0, context_s = 0;
};

class cost_timer final : public serve::iteration_timer {
 public:
  explicit cost_timer(step_costs c) : c_(c) {}
  [[nodiscard]] double seconds(const serve::iteration& i) const override {
    if (i.tokens() == 0) return 0;
    return c_.step_s + c_.prompt_token_s * static_cast<double>(i.prefill_tokens) +
           c_.sequence_s * static_cast<double>(i.decode_sequences) +
           c_.context_s * static_cast<double>(i.decode_context);
  }
  [[nodiscard]] serve::decode_line decode(std::int64_t n, std::int64_t) const override {
    return {c_.step_s + c_.sequence_s * static_cast<double>(n), c_.context_s, 1 << 30};
  }

 private:
  step_costs c_;
};

// 8 ms per step (the weights), 20 us per prompt token, 50 us per decoding sequence.
constexpr step_costs usual{.step_s = 8e-3, .prompt_token_s = 2e-5, .sequence_s = 5e-5};

replica_offer offer(step_costs c = usual) {
  return {.gpu = "X",
          .gpus = 2,
          .usd_per_gpu_hour = 3,
          .busy_power_w = 500,
          .idle_power_w = 100,
          .kv_tokens = 1 << 20,
          .timer = std::make_shared<cost_timer>(c),
          .max_sequences = 256,
          .max_step_tokens = 8192};
}

serving_load load(double rate = 20) { return {.requests_per_s = rate, .lengths = {{1000, 200, 1}}}; }
constexpr latency_objective slo{.ttft_s = 0.5, .tpot_s = 0.04};

cluster_answer sized(const std::vector<replica_offer>& offers, const serving_load& l = load(),
                     const latency_objective& o = slo, const replica_policy& p = {}) {
  auto a = size_cluster(l, o, p, offers);
  EXPECT_TRUE(a.ok()) << (a.ok() ? "" : a.why().text());
  return a.ok() ? std::move(a).value() : cluster_answer{};
}

TEST(cluster, waiting_is_pollaczek_khinchine_where_steps_take_one_prompt) {
  // Service of 1000 · 20 us = 20 ms, decoding for nothing: an M/D/1 queue.
  const auto o = offer({.prompt_token_s = 2e-5});
  const replica_policy one{.max_step_tokens = 1000};
  const serving_load l{.requests_per_s = 1, .lengths = {{1000, 1, 1}}};
  for (const double rate : {5.0, 20.0, 40.0}) {
    const auto s = replica_at(o, l, slo, one, rate);
    EXPECT_NEAR(s.wait_s, rate * 0.02 * 0.02 / (2 * (1 - rate * 0.02)), 1e-9) << rate;
    EXPECT_NEAR(s.ttft_s, s.wait_s + 0.02, 1e-9);
  }
  EXPECT_EQ(replica_at(o, l, slo, one, 51).broken, binding::compute);
}

TEST(cluster, waiting_counts_the_square_of_mixed_service) {
  // Services of 5 ms and 35 ms, half each: E[S] = 20 ms, E[S^2] = 625 ms^2.
  const auto o = offer({.prompt_token_s = 2e-5});
  const serving_load l{.requests_per_s = 1, .lengths = {{250, 1, 1}, {1750, 1, 1}}};
  const auto s = replica_at(o, l, slo, {.max_step_tokens = 251}, 10);
  EXPECT_NEAR(s.wait_s, 10 * 625e-6 / (2 * (1 - 0.2)), 1e-9);
  EXPECT_NEAR(s.prefill_s, 0.02, 1e-9);
}

TEST(cluster, sequences_that_decode_follow_littles_law) {
  const auto s = replica_at(offer(), load(), slo, {}, 5);
  EXPECT_NEAR(s.running, 5 * 200 * s.tpot_s, 0.6);  // whole sequences
  // (8 ms + 50 us · n)/(1 - 5 · 20 ms): n = 1000 · TPOT -> TPOT = 8/(0.9 - 0.05) ms
  EXPECT_NEAR(s.tpot_s, 8e-3 / 0.85, 5e-5);
  EXPECT_NEAR(s.kv_tokens, s.running_quantile * 1100, 1e-6);  // the prompt and half of the answer
  // TPOT rises with n: 50 us of 8 ms + 50 us · n, so noise dies away more slowly than Poisson's.
  const double elastic = 0.05 * s.running / (8 + 0.05 * s.running);
  EXPECT_NEAR(s.running_quantile, s.running + 1.645 * std::sqrt(s.running / (1 - elastic)), 0.1);
}

TEST(cluster, weights_are_read_once_a_step_for_all_sequences) {
  // One sequence at a time would give 1/(200 · 8 ms) = 0.6 requests per second.
  EXPECT_GT(sized({offer()}).choices.front().max_requests_per_s, 10);
}

TEST(cluster, longer_answers_decode_longer_and_weigh_more_in_the_context) {
  auto l = load();
  l.lengths = {{1000, 100, 1}, {3000, 300, 1}};
  const auto s = replica_at(offer(), l, slo, {}, 2);
  // (100 · 1050 + 300 · 3150)/400
  EXPECT_NEAR(s.kv_tokens / s.running_quantile, 2625, 1e-6);
}

TEST(cluster, the_constraint_that_binds_is_named) {
  const auto bound_by = [](const replica_offer& o, const latency_objective& l = slo,
                           const replica_policy& p = {}) {
    const auto a = sized({o}, load(), l, p);
    return a.choices.empty() ? std::string("rejected: ") + a.rejected.front().rejected
                             : std::string(name_of(a.choices.front().limit));
  };
  EXPECT_EQ(bound_by(offer(), {.ttft_s = 10, .tpot_s = 0.012}), "tpot");
  EXPECT_EQ(bound_by(offer(), {.ttft_s = 0.05, .tpot_s = 0.5}), "ttft");
  EXPECT_EQ(bound_by(offer(), {.ttft_s = 10, .tpot_s = 0.5}, {.max_sequences = 20}), "sequences");
  auto small = offer();
  small.kv_tokens = 20000;
  EXPECT_EQ(bound_by(small, {.ttft_s = 10, .tpot_s = 0.5}), "kv cache");
  EXPECT_EQ(bound_by(offer({.step_s = 1e-4, .prompt_token_s = 1e-3}), {.ttft_s = 1e6, .tpot_s = 1e6}),
            "compute");
}

TEST(cluster, at_its_greatest_rate_a_replica_just_meets_the_objective) {
  const auto a = sized({offer()}, load(), {.ttft_s = 10, .tpot_s = 0.012});
  const auto most = a.choices.front().max_requests_per_s;
  EXPECT_LE(replica_at(offer(), load(), slo, {}, most).tpot_quantile_s, 0.012);
  EXPECT_GT(replica_at(offer(), load(), slo, {}, 1.02 * most).tpot_quantile_s, 0.012);
}

TEST(cluster, replicas_cover_the_peak_with_headroom_and_a_spare_one) {
  auto l = load(20);
  const auto most = sized({offer()}, l).choices.front().max_requests_per_s;
  l.requests_per_s = 10 * most;
  const auto plain = sized({offer()}, l, slo, {.headroom = 0, .spare_replicas = 0}).choices.front();
  EXPECT_EQ(plain.replicas, 10);
  EXPECT_EQ(plain.gpus, 20);
  EXPECT_NEAR(plain.utilization, 1, 1e-6);
  l.peak_factor = 1.5;
  const auto safe = sized({offer()}, l, slo, {.headroom = 0.25, .spare_replicas = 1}).choices.front();
  EXPECT_EQ(safe.replicas, 21);  // 10 · 1.5/0.75 + 1
  EXPECT_NEAR(safe.utilization, 10.0 / 21, 1e-6);
}

TEST(cluster, money_and_energy_follow_from_the_gpus) {
  const auto c = sized({offer()}).choices.front();
  EXPECT_DOUBLE_EQ(*c.usd_per_hour, 3.0 * static_cast<double>(c.gpus));
  EXPECT_NEAR(*c.usd_per_mtok, *c.usd_per_hour / (20 * 200 * 3600) * 1e6, 1e-12);
  EXPECT_NEAR(*c.joules_per_token, *c.power_w / 4000, 1e-12);
  EXPECT_GE(*c.power_w, 100.0 * static_cast<double>(c.gpus));
  EXPECT_LE(*c.power_w, 500.0 * static_cast<double>(c.gpus));
}

TEST(cluster, cheapest_first_and_unpriced_last) {
  auto cheap = offer(), dear = offer(), unknown = offer();
  dear.usd_per_gpu_hour = 5;
  dear.gpu = "dear";
  unknown.usd_per_gpu_hour = 0;
  unknown.busy_power_w = 0;
  unknown.gpu = "unknown";
  const auto a = sized({unknown, dear, cheap});
  EXPECT_EQ(a.choices[0].gpu, "X");
  EXPECT_EQ(a.choices[1].gpu, "dear");
  EXPECT_EQ(a.choices[2].gpu, "unknown");
  EXPECT_FALSE(a.choices[2].usd_per_hour.has_value());
  EXPECT_FALSE(a.choices[2].power_w.has_value());
  ASSERT_NE(find(a.derivation, "gpus"), nullptr);
  EXPECT_EQ(find(a.derivation, "gpus")->value, static_cast<double>(a.choices[0].gpus));
  EXPECT_EQ(find(a.derivation, "ttft_ms")->relative_band, cluster_band);
}

TEST(cluster, who_cannot_serve_one_request_says_why) {
  auto none = offer();
  none.refused = "the weights do not fit";
  auto slow = offer({.step_s = 0.1, .prompt_token_s = 2e-5});
  auto late = offer({.step_s = 1e-3, .prompt_token_s = 1e-3});
  auto full = offer();
  full.kv_tokens = 1100;
  const auto a = sized({none, slow, late, full});
  EXPECT_TRUE(a.choices.empty());
  ASSERT_EQ(a.rejected.size(), 4u);
  EXPECT_EQ(a.rejected[0].rejected, "the weights do not fit");
  EXPECT_THAT(a.rejected[1].rejected, AllOf(HasSubstr("100 ms"), HasSubstr("TPOT of 40.0 ms allowed")));
  EXPECT_THAT(a.rejected[2].rejected, AllOf(HasSubstr("1.00 s"), HasSubstr("TTFT may take 500 ms")));
  EXPECT_THAT(a.rejected[3].rejected, HasSubstr("holds 1100 tokens, one request has 1200"));
}

TEST(cluster, looser_objectives_and_lighter_loads_never_need_more) {
  std::int64_t before = 1 << 30;
  for (const double tpot_s : {0.011, 0.015, 0.02, 0.03, 0.06}) {
    const auto gpus = sized({offer()}, load(500), {.ttft_s = 1, .tpot_s = tpot_s}).choices.front().gpus;
    EXPECT_LE(gpus, before) << tpot_s;
    before = gpus;
  }
  before = 0;
  for (const double rate : {1.0, 10.0, 100.0, 1000.0}) {
    const auto gpus = sized({offer()}, load(rate)).choices.front().gpus;
    EXPECT_GE(gpus, before) << rate;
    before = gpus;
  }
}

TEST(cluster, what_makes_no_sense_is_refused_by_name) {
  const auto complaint = [](const serving_load& l, const latency_objective& o = slo,
                            const replica_policy& p = {}) {
    const auto a = size_cluster(l, o, p, {});
    return a.ok() ? std::string("accepted") : a.why().text();
  };
  EXPECT_THAT(complaint(load(0)), HasSubstr("rate is 0"));
  EXPECT_THAT(complaint(load(std::nan(""))), HasSubstr("rate is nan"));
  EXPECT_THAT(complaint({.requests_per_s = 1}), HasSubstr("no lengths"));
  EXPECT_THAT(complaint({.requests_per_s = 1, .lengths = {{0, 1, 1}}}), HasSubstr("prompt length is 0"));
  EXPECT_THAT(complaint({.requests_per_s = 1, .peak_factor = 0.5, .lengths = {{1, 1, 1}}}),
              HasSubstr("peak"));
  EXPECT_THAT(complaint(load(), {.ttft_s = 0, .tpot_s = 1}), HasSubstr("TTFT objective is 0"));
  EXPECT_THAT(complaint(load(), slo, {.headroom = 1}), HasSubstr("headroom is 1"));
  EXPECT_EQ(complaint(load()), "accepted");
}

}  // namespace
}  // namespace ridge::plan
