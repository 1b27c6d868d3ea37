// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/gpu_mix.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include <ridge/plan/disaggregated_sizing.hpp>

namespace ridge::plan {
namespace {

// A step of the weights, of prompt tokens and of decoding sequences.
class priced_timer final : public serve::iteration_timer {
 public:
  priced_timer(double step_s, double token_s) : step_s_(step_s), token_s_(token_s) {}
  [[nodiscard]] double seconds(const serve::iteration& i) const override {
    if (i.tokens() == 0) return 0;
    return line(i.decode_sequences) + token_s_ * static_cast<double>(i.prefill_tokens) +
           1e-9 * static_cast<double>(i.decode_context);
  }
  [[nodiscard]] serve::decode_line decode(std::int64_t n, std::int64_t) const override {
    return {line(n), 1e-9, std::int64_t{1} << 40};
  }

 private:
  [[nodiscard]] double line(std::int64_t n) const { return step_s_ + 5e-5 * static_cast<double>(n); }
  double step_s_, token_s_;
};

replica_offer kind(const char* name, double usd, double step_s, double token_s, int gpus = 1) {
  return {.gpu = name,
          .gpus = gpus,
          .usd_per_gpu_hour = usd,
          .kv_tokens = 1 << 20,
          .timer = std::make_shared<priced_timer>(step_s, token_s),
          .max_sequences = 256,
          .max_step_tokens = 8192};
}

constexpr latency_objective mix_objective{.ttft_s = 2, .tpot_s = 0.05};

// A large kind that alone is in time for long prompts, and a small one that serves short ones for less.
std::vector<replica_offer> two_priced_kinds() {
  return {kind("large", 3.5, 6e-3, 2e-5), kind("small", 0.6, 20e-3, 1e-4)};
}

serving_load four_lengths(double rate) {
  return {.requests_per_s = rate, .lengths = {{200, 300, 1}, {800, 300, 1}, {3000, 300, 1}, {9000, 300, 1}}};
}

double cheapest_cost(const serving_load& load, const replica_policy& p,
                     const std::vector<replica_offer>& offers) {
  const auto sized = size_cluster(load, mix_objective, p, offers);
  return !sized || sized->choices.empty() ? 1e9 : *sized->choices.front().usd_per_hour;
}

// Every way to cut four lengths, each part on its cheapest kind.
double cheapest_cut(const serving_load& load, const replica_policy& p,
                    const std::vector<replica_offer>& offers) {
  double least = 1e9;
  for (unsigned cuts = 0; cuts < 8; ++cuts) {
    double sum = 0;
    serving_load part{.peak_factor = load.peak_factor};
    for (unsigned i = 0; i < 4; ++i) {
      part.lengths.push_back(load.lengths[i]);
      part.requests_per_s += load.requests_per_s / 4;
      if (i < 3 && (cuts >> i & 1U) == 0) continue;
      sum += cheapest_cost(part, p, offers);
      part = {.peak_factor = load.peak_factor};
    }
    least = std::min(least, sum);
  }
  return least;
}

TEST(gpu_mix, is_the_cheapest_of_all_cuts) {
  const auto offers = two_priced_kinds();
  bool mixed = false;
  const replica_policy usual{}, bare{.headroom = 0.1, .spare_replicas = 0};
  for (const auto& [rate, policy] : {std::pair(1.0, usual), std::pair(20.0, bare), std::pair(60.0, usual)}) {
    const auto load = four_lengths(rate);
    const auto mix = cheapest_mix(load, mix_objective, policy, offers, 4);
    ASSERT_TRUE(mix.ok()) << mix.why().text();
    EXPECT_NEAR(mix->usd_per_hour, cheapest_cut(load, policy, offers), 1e-9) << rate;
    EXPECT_LE(mix->usd_per_hour, cheapest_cost(load, policy, offers)) << rate;
    mixed = mixed || mix->pools.size() > 1;
  }
  EXPECT_TRUE(mixed);
}

TEST(gpu_mix, pools_share_out_all_requests_and_hold_in_the_simulator) {
  const auto offers = two_priced_kinds();
  const auto load = four_lengths(90);
  const auto mix = *cheapest_mix(load, mix_objective, {}, offers);
  double rate = 0, at = 0;
  for (const auto& pool : mix.pools) {
    EXPECT_DOUBLE_EQ(pool.lowest_quantile, at);
    at = pool.highest_quantile;
    rate += pool.load.requests_per_s;
  }
  EXPECT_DOUBLE_EQ(at, 1);
  EXPECT_NEAR(rate, 90, 1e-9);
  const auto s = *simulate_mix(mix, offers, mix_objective, {}, {.requests = 4000});
  EXPECT_NEAR(static_cast<double>(s.requests), 4000, 2);
  EXPECT_TRUE(s.met);
}

TEST(gpu_mix, needs_a_price) {
  auto offers = two_priced_kinds();
  for (auto& o : offers) o.usd_per_gpu_hour = 0;
  EXPECT_FALSE(cheapest_mix(four_lengths(5), mix_objective, {}, offers).ok());
}

result<serve::disaggregation_settings> fast_link(std::size_t, std::size_t, int) {
  return serve::disaggregation_settings{.kv_bytes_per_token = 1e5, .link_bytes_per_s = 50e9, .layers = 32};
}

TEST(disaggregated_sizing, finds_what_brute_force_finds) {
  const std::vector<replica_offer> offers{kind("large", 3.5, 6e-3, 2e-5),
                                          kind("pair", 3.5, 3.5e-3, 1.1e-5, 2)};
  const serving_load load{.requests_per_s = 60, .lengths = {{1500, 150, 1}}};
  const replica_policy p{.headroom = 0, .spare_replicas = 0};
  const latency_objective tight{.ttft_s = 0.15, .tpot_s = 0.008};
  const choice_simulation how{.requests = 800};
  const auto found =
      size_disaggregated(load, tight, p, offers, fast_link, {.gpus = 8, .search_requests = 800}, how);
  ASSERT_TRUE(found.ok()) << found.why().text();
  double least = 1e9;
  for (const auto& a : offers)
    for (const auto& b : offers)
      for (int x = 1; x < 8; ++x)
        for (int y = 1; x * a.gpus + y * b.gpus <= 8; ++y) {
          const double cost = 3.5 * (x * a.gpus + y * b.gpus);
          if (cost >= least) continue;
          const auto s = simulate_disaggregated({&a, x}, {&b, y}, *fast_link(0, 0, y), load, tight, p, how);
          if (s->met) least = cost;
        }
  ASSERT_FALSE(found->empty());
  EXPECT_DOUBLE_EQ(*found->front().usd_per_hour, least);
  EXPECT_TRUE(found->front().simulated.met);
  EXPECT_TRUE(size_disaggregated(load, {.ttft_s = 0.15, .tpot_s = 1e-3}, p, offers, fast_link,
                                 {.gpus = 8, .search_requests = 500}, how)
                  ->empty());
}

}  // namespace
}  // namespace ridge::plan
