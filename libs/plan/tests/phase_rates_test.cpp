// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/phase_rates.hpp>

#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

// 1 ms per step, 10 us per prompt token, 1 ns per query-key pair, 100 us per decoding sequence, 10 ns per
// token of its context.
class pair_timer final : public serve::iteration_timer {
 public:
  [[nodiscard]] double seconds(const serve::iteration& i) const override {
    return 1e-3 + 1e-5 * static_cast<double>(i.prefill_tokens) + 1e-9 * i.prefill_pairs +
           1e-4 * static_cast<double>(i.decode_sequences) + 1e-8 * static_cast<double>(i.decode_context);
  }
  [[nodiscard]] serve::decode_line decode(std::int64_t n, std::int64_t) const override {
    return {1e-3 + 1e-4 * static_cast<double>(n), 1e-8, 1 << 30};
  }
};

TEST(phase_rates, prompts_share_a_steps_overhead) {
  // 8 prompts of 1000 in a step: 1 ms + 80 ms + 8 · 1000 · 1001/2 ns = 85.004 ms for 8000 tokens.
  const auto r = rates_of(pair_timer(), {.input = 1000, .output = 100}, 16, 8192);
  EXPECT_NEAR(r.input_per_s, 8000 / 0.085004, 1e-6);
  EXPECT_EQ(r.cached_input_per_s, 0);
}

TEST(phase_rates, long_prompts_come_in_chunks_that_attend_to_those_before) {
  // 16384 tokens in two steps: 2 · (1 + 81.92) ms + 16384 · 16385/2 ns of pairs, as in one piece.
  const auto r = rates_of(pair_timer(), {.input = 16384, .output = 100}, 1, 8192);
  EXPECT_NEAR(r.input_per_s, 16384 / (2e-3 + 0.16384 + 1e-9 * 16384 * 16385 / 2), 1e-3);
}

TEST(phase_rates, cached_tokens_cost_the_attention_paid_to_them) {
  // 1000 new tokens behind 3000 cached: 3 million pairs more, 3 ms for 3000 tokens.
  const auto r = rates_of(pair_timer(), {.input = 4000, .cached_input = 3000, .output = 100}, 1, 8192);
  EXPECT_NEAR(r.cached_input_per_s, 3000 / 3e-3, 1e-3);
  EXPECT_GT(r.cached_input_per_s, 5 * r.input_per_s);
}

TEST(phase_rates, weights_are_read_once_a_step_whatever_the_batch) {
  const auto one = rates_of(pair_timer(), {.input = 1000, .output = 100}, 1, 8192),
             many = rates_of(pair_timer(), {.input = 1000, .output = 100}, 64, 8192);
  EXPECT_NEAR(one.output_per_s, 1 / (1e-3 + 1e-4 + 1050e-8), 1e-6);
  EXPECT_NEAR(many.output_per_s, 64 / (1e-3 + 64 * (1e-4 + 1050e-8)), 1e-6);
}

TEST(phase_rates, a_prompt_that_is_all_cached_has_no_rate) {
  EXPECT_EQ(rates_of(pair_timer(), {.input = 1000, .cached_input = 1000, .output = 10}, 1, 8192).input_per_s,
            0);
}

}  // namespace
}  // namespace ridge::plan
