// SPDX-License-Identifier: Apache-2.0
// Schedules worked out by hand: every step takes one second.
#include <gtest/gtest.h>

#include "engine_fixture.hpp"

namespace ridge::plan::serve {
namespace {

using enum engine_event_kind;

const unit_timer steps_of_a_second;

request_table table_of(const std::vector<request>& rows) {
  request_table table;
  for (const auto& r : rows) {
    table.add(r);
  }
  return table;
}

// 4 tokens per step: 4, 4, then 2 of the first with 2 of the second, whose third token waits for the next
// step.
TEST(engine_schedule, chunks_prompts_within_the_budget) {
  const auto table =
      table_of({{.input_tokens = 10, .output_tokens = 2}, {.input_tokens = 3, .output_tokens = 1}});
  const auto e = played({.max_batched_tokens = 4, .block_size = 4, .blocks = 100}, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, first_token), 3);
  EXPECT_EQ(time_of(e.events(), 0, finished), 4);
  EXPECT_EQ(time_of(e.events(), 1, first_token), 4);
  EXPECT_EQ(e.counts().prefill_tokens, 13U);
  EXPECT_EQ(e.counts().decode_tokens, 1U);
  EXPECT_EQ(e.counts().steps, 4U);
}

TEST(engine_schedule, a_long_prompt_leaves_room_for_others_where_its_share_is_limited) {
  const auto table =
      table_of({{.input_tokens = 8, .output_tokens = 1}, {.input_tokens = 4, .output_tokens = 1}});
  engine_settings s{.max_batched_tokens = 8, .block_size = 4, .blocks = 100, .long_prefill_tokens = 4};
  const auto limited = played(s, steps_of_a_second, table);
  EXPECT_EQ(time_of(limited.events(), 1, first_token), 1);
  EXPECT_EQ(time_of(limited.events(), 0, first_token), 2);
  s.long_prefill_tokens = 0;
  const auto free = played(s, steps_of_a_second, table);
  EXPECT_EQ(time_of(free.events(), 0, first_token), 1);
  EXPECT_EQ(time_of(free.events(), 1, first_token), 2);
}

TEST(engine_schedule, whole_prompts_wait_for_a_budget_of_their_own) {
  const auto table =
      table_of({{.input_tokens = 6, .output_tokens = 1}, {.input_tokens = 6, .output_tokens = 1}});
  const auto e = played({.max_batched_tokens = 8, .block_size = 4, .blocks = 100, .chunked_prefill = false},
                        steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, finished), 1);
  EXPECT_EQ(time_of(e.events(), 1, finished), 2);
}

// Blocks of 2, 4 of them. Step 1: both prompts of 3 take 2 blocks each, the third request waits. Step 2:
// their fourth tokens fit. Step 3: the first needs a third block, so the second, last admitted, gives its two
// up. Step 4 ends the first. Step 5: the second computes its 3 + 2 tokens again; the third fits beside it.
const std::vector<request> three_requests{{.input_tokens = 3, .output_tokens = 4},
                                          {.input_tokens = 3, .output_tokens = 4},
                                          {.input_tokens = 1, .output_tokens = 1}};
constexpr std::uint32_t four_blocks = 4;

void expect_preemption(const engine& e) {
  EXPECT_EQ(time_of(e.events(), 0, first_token), 1);
  EXPECT_EQ(time_of(e.events(), 1, first_token), 1);
  EXPECT_EQ(time_of(e.events(), 1, preempted), 2);
  EXPECT_EQ(time_of(e.events(), 0, finished), 4);
  EXPECT_EQ(time_of(e.events(), 2, finished), 5);
  EXPECT_EQ(time_of(e.events(), 1, finished), 6);
  EXPECT_EQ(e.counts().preemptions, 1U);
  EXPECT_EQ(e.counts().decode_tokens, 5U);
  EXPECT_EQ(e.load().free_blocks, four_blocks);
}

TEST(engine_schedule, preempts_the_last_admitted_and_computes_it_again) {
  const auto table = table_of(three_requests);
  const auto e =
      played({.block_size = 2, .blocks = four_blocks, .prefix_caching = false}, steps_of_a_second, table);
  expect_preemption(e);
  EXPECT_EQ(e.counts().prefill_tokens, 3U + 3 + 5 + 1);
}

// The preempted request's blocks were freed last block first: the block that the first request took was its
// second. Its first one is still there, so 3 tokens of the 5 are computed.
TEST(engine_schedule, finds_its_own_blocks_again_after_preemption) {
  const auto table = table_of(three_requests);
  const auto e =
      played({.block_size = 2, .blocks = four_blocks, .prefix_caching = true}, steps_of_a_second, table);
  expect_preemption(e);
  EXPECT_EQ(e.counts().prefill_tokens, 3U + 3 + 3 + 1);
}

TEST(engine_schedule, admission_asks_for_the_whole_prompt_where_told_so) {
  // The first holds 2 of 3 blocks; of the second's 4 tokens 2 would fit.
  const auto table =
      table_of({{.input_tokens = 4, .output_tokens = 1}, {.input_tokens = 4, .output_tokens = 1}});
  engine_settings s{.max_batched_tokens = 6, .block_size = 2, .blocks = 3, .prefix_caching = false};
  EXPECT_EQ(played(s, steps_of_a_second, table).counts().steps, 2U);
  EXPECT_EQ(played(s, steps_of_a_second, table).counts().prefill_tokens, 8U);
  s.reserve_input = false;
  const auto e = played(s, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 1, finished), 2);  // 2 tokens beside the first, 2 after it
  EXPECT_EQ(e.counts().prefill_tokens, 8U);
}

TEST(engine_schedule, the_watermark_holds_for_those_who_come_to_others) {
  const auto table =
      table_of({{.input_tokens = 4, .output_tokens = 3}, {.input_tokens = 2, .output_tokens = 1}});
  engine_settings s{.block_size = 2, .blocks = 4, .prefix_caching = false};
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 1, finished), 1);
  s.watermark = 0.5;
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 1, finished), 4);
}

TEST(engine_schedule, runs_no_more_sequences_than_allowed) {
  const auto table =
      table_of({{.input_tokens = 1, .output_tokens = 3}, {.input_tokens = 1, .output_tokens = 1}});
  const auto e = played({.max_sequences = 1, .blocks = 10}, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, finished), 3);
  EXPECT_EQ(time_of(e.events(), 1, finished), 4);
}

TEST(engine_schedule, serves_by_priority_and_preempts_the_least_important) {
  // Both fit until the first needs a third block; the second is the more important.
  const auto table = table_of({{.input_tokens = 3, .output_tokens = 4, .priority = 5},
                               {.input_tokens = 3, .output_tokens = 4, .priority = 1},
                               {.input_tokens = 1, .output_tokens = 1, .priority = 9}});
  const auto e = played({.block_size = 2, .blocks = 4, .prefix_caching = false, .priorities = true},
                        steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, preempted), 2);
  EXPECT_EQ(time_of(e.events(), 1, preempted), -1);
  EXPECT_EQ(time_of(e.events(), 1, finished), 4);
  EXPECT_EQ(time_of(e.events(), 0, finished), 6);
}

// When steps are scheduled one in advance, requests that arrive during step 1 take part in step 3: step 2 is
// already scheduled.
TEST(engine_schedule, asynchronous_scheduling_sees_arrivals_a_step_later) {
  const auto table = table_of({{.arrival_s = 0, .input_tokens = 2, .output_tokens = 5},
                               {.arrival_s = 0.5, .input_tokens = 1, .output_tokens = 1}});
  engine_settings s{.blocks = 10};
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 1, first_token), 2);
  s.async_scheduling = true;
  const auto e = played(s, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 1, first_token), 3);
  EXPECT_EQ(time_of(e.events(), 0, first_token), 1);
  EXPECT_EQ(time_of(e.events(), 0, finished), 5);
}

TEST(engine_schedule, asynchronous_scheduling_hides_the_host) {
  const auto table = table_of({{.input_tokens = 2, .output_tokens = 4}});
  engine_settings s{.blocks = 10, .host_s = 0.25};
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 0, finished), 5);
  s.async_scheduling = true;
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 0, finished), 4);
  s.host_s = 2;
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 0, finished), 8);
}

TEST(engine_schedule, requests_pass_the_front_end_one_after_another) {
  const auto table = table_of({{.arrival_s = 0, .input_tokens = 2, .output_tokens = 1},
                               {.arrival_s = 0, .input_tokens = 2, .output_tokens = 1}});
  const engine_settings s{.blocks = 10, .front_end_s = 2, .request_s = 0.5};
  const auto e = played(s, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, finished), 3.5);
  EXPECT_EQ(time_of(e.events(), 1, finished), 5.5);
}

TEST(engine_schedule, requests_in_the_front_end_wait_leave_and_are_lost) {
  const auto table = table_of({{.arrival_s = 0, .input_tokens = 2, .output_tokens = 1},
                               {.arrival_s = 0, .input_tokens = 2, .output_tokens = 1}});
  engine e{{.blocks = 10, .request_s = 4}, steps_of_a_second, table};
  e.submit(0, 0);
  e.submit(1, 0);
  EXPECT_EQ(e.load().waiting, 2U);
  EXPECT_EQ(e.load().queued_tokens, 4U);
  EXPECT_FALSE(e.idle());
  EXPECT_TRUE(e.evict(1, 1));
  EXPECT_EQ(e.load().queued_tokens, 2U);
  EXPECT_FALSE(e.evict(1, 1));
  EXPECT_EQ(e.fail(2), std::vector<request_id>{0});
  EXPECT_TRUE(e.idle());
  EXPECT_EQ(e.next_s(), engine::never_s);
}

TEST(engine_schedule, what_can_never_fit_is_rejected) {
  const auto table = table_of({{.arrival_s = 1, .input_tokens = 8, .output_tokens = 2},
                               {.arrival_s = 1, .input_tokens = 7, .output_tokens = 2}});
  const auto e = played({.block_size = 4, .blocks = 2}, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, rejected), 1);  // 8 + 1 tokens in 8 places
  EXPECT_EQ(time_of(e.events(), 1, finished), 3);
  EXPECT_EQ(e.counts().rejected, 1U);
  EXPECT_TRUE(e.idle());
}

TEST(engine_schedule, sglang_computes_new_prompts_before_anything_else) {
  const auto table = table_of({{.arrival_s = 0, .input_tokens = 1, .output_tokens = 5},
                               {.arrival_s = 0.5, .input_tokens = 1, .output_tokens = 2}});
  engine_settings s{.scheduler = scheduler_kind::sglang, .blocks = 100};
  const auto e = played(s, steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 1, first_token), 2);
  EXPECT_EQ(time_of(e.events(), 1, finished), 3);
  EXPECT_EQ(time_of(e.events(), 0, finished), 6);  // it was preempted for one step
  s.scheduler = scheduler_kind::vllm_v1;
  EXPECT_EQ(time_of(played(s, steps_of_a_second, table).events(), 0, finished), 5);
}

TEST(engine_schedule, no_evict_admits_what_fits_to_its_last_token) {
  const auto table =
      table_of({{.input_tokens = 3, .output_tokens = 4}, {.input_tokens = 3, .output_tokens = 4}});
  engine_settings s{.scheduler = scheduler_kind::trtllm_no_evict, .block_size = 2, .blocks = 4};
  const auto e = played(s, steps_of_a_second, table);
  EXPECT_EQ(e.counts().preemptions, 0U);
  EXPECT_EQ(time_of(e.events(), 0, finished), 4);
  EXPECT_EQ(time_of(e.events(), 1, first_token), 5);
  s.scheduler = scheduler_kind::trtllm_inflight;
  EXPECT_EQ(played(s, steps_of_a_second, table).counts().preemptions, 1U);
}

// Two at a time: the short one stays until the long one is done; the third starts after both.
TEST(engine_schedule, a_static_batch_runs_to_the_end_of_its_longest_answer) {
  const auto table = table_of({{.input_tokens = 2, .output_tokens = 1},
                               {.input_tokens = 2, .output_tokens = 4},
                               {.input_tokens = 2, .output_tokens = 1}});
  const auto e = played({.scheduler = scheduler_kind::static_batching, .max_sequences = 2, .blocks = 100},
                        steps_of_a_second, table);
  EXPECT_EQ(time_of(e.events(), 0, first_token), 1);
  EXPECT_EQ(time_of(e.events(), 0, finished), 4);
  EXPECT_EQ(time_of(e.events(), 1, finished), 4);
  EXPECT_EQ(time_of(e.events(), 2, finished), 5);
}

TEST(engine_schedule, a_decode_batch_runs_as_the_graph_that_holds_it) {
  class counting final : public iteration_timer {
   public:
    [[nodiscard]] double seconds(const iteration&) const override { return 1; }
    [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t) const override {
      return {static_cast<double>(sequences), 0, 1LL << 60};
    }
  };
  const counting timer;
  const auto table = table_of({{.input_tokens = 1, .output_tokens = 2},
                               {.input_tokens = 1, .output_tokens = 2},
                               {.input_tokens = 1, .output_tokens = 2}});
  engine_settings s{.blocks = 10, .cuda_graph_sizes = {1, 2, 4}};
  EXPECT_EQ(time_of(played(s, timer, table).events(), 0, finished), 1 + 4);
  s.cuda_graph_sizes = {1, 2};  // beyond the largest: as many as there are
  EXPECT_EQ(time_of(played(s, timer, table).events(), 0, finished), 1 + 3);
}

// (1 - a^(k+1)) / (1 - a) tokens per step.
TEST(engine_schedule, speculation_gives_the_expected_tokens_a_step) {
  const speculation guess{.tokens = 3, .acceptance = 0.7};
  EXPECT_NEAR(guess.expected_tokens(), (1 - 0.2401) / 0.3, 1e-12);
  EXPECT_DOUBLE_EQ((speculation{.tokens = 0, .acceptance = 0.7}.expected_tokens()), 1);
  constexpr std::uint32_t outputs = 100'001;
  const auto table = table_of({{.input_tokens = 1, .output_tokens = outputs}});
  const auto e = played({.blocks = 10000, .speculative = guess}, steps_of_a_second, table);
  EXPECT_EQ(e.counts().decode_tokens, outputs - 1);
  const auto a_step = (outputs - 1.0) / static_cast<double>(e.counts().steps - 1);
  EXPECT_NEAR(a_step, guess.expected_tokens(), 0.01 * guess.expected_tokens());
}

}  // namespace
}  // namespace ridge::plan::serve
