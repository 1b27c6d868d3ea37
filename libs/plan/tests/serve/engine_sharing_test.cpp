// SPDX-License-Identifier: Apache-2.0
// Sharing: prefixes, tiers below the GPU, prompts computed by another engine; and removal of requests.
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_fixture.hpp"
#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

using enum engine_event_kind;
using ids = std::vector<std::uint64_t>;

const unit_timer unit_steps;

TEST(engine_sharing, a_prompt_computes_what_is_not_cached) {
  request_table table{4};
  table.add({.arrival_s = 0, .input_tokens = 8, .output_tokens = 1}, ids{11, 12});
  table.add({.arrival_s = 5, .input_tokens = 10, .output_tokens = 1}, ids{11, 12, 13});
  table.add({.arrival_s = 9, .input_tokens = 8, .output_tokens = 1}, ids{11, 12});
  engine e{{.block_size = 4, .blocks = 100}, unit_steps, table};
  e.submit(0, 0);
  e.advance(5);
  EXPECT_EQ(e.counts().prefill_tokens, 8U);
  EXPECT_EQ(e.prefix_overlap(1), 8U);
  e.submit(1, 5);
  e.advance(9);
  EXPECT_EQ(e.counts().prefill_tokens, 8U + 2);
  EXPECT_EQ(e.counts().prompt_hits, 8U);
  // A prompt that is cached to its end: the last block is recomputed for the logits of its last token.
  e.submit(2, 9);
  e.advance(20);
  EXPECT_EQ(e.counts().prefill_tokens, 8U + 2 + 4);
  EXPECT_EQ(e.counts().prompt_hits, 8U + 4);
  EXPECT_EQ(e.counts().prompt_lookups, 26U);
}

TEST(engine_sharing, two_in_one_step_share_what_the_first_computes) {
  request_table table{4};
  table.add({.input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  table.add({.input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  const auto e = played({.block_size = 4, .blocks = 100}, unit_steps, table);
  EXPECT_EQ(e.counts().steps, 1U);
  EXPECT_EQ(e.counts().prefill_tokens, 9U + 1);
}

TEST(engine_sharing, without_prefix_caching_all_is_computed) {
  request_table table{4};
  table.add({.input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  table.add({.input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  const auto e = played({.block_size = 4, .blocks = 100, .prefix_caching = false}, unit_steps, table);
  EXPECT_EQ(e.counts().prefill_tokens, 18U);
  EXPECT_EQ(e.prefix_overlap(0), 0U);
}

// An id of a trace stands for 8 tokens, the cache's blocks hold 2 or 16.
TEST(engine_sharing, blocks_of_the_cache_may_be_smaller_or_larger_than_those_of_the_trace) {
  request_table table{8};
  table.add({.input_tokens = 33, .output_tokens = 1}, ids{1, 2, 3, 4, 5});
  table.add({.input_tokens = 33, .output_tokens = 1}, ids{1, 2, 3, 8, 9});
  const auto small = played({.block_size = 2, .blocks = 100}, unit_steps, table);
  EXPECT_EQ(small.counts().prompt_hits, 24U);
  const auto large = played({.block_size = 16, .blocks = 100}, unit_steps, table);
  EXPECT_EQ(large.counts().prompt_hits, 16U);
}

TEST(engine_sharing, answers_are_found_where_the_next_prompt_repeats_them) {
  request_table table{4};
  // 6 tokens asked, 7 answered (the last is never computed on): 12 tokens in three full blocks.
  table.add({.arrival_s = 0, .input_tokens = 6, .output_tokens = 7}, ids{1, 2, 3});
  table.add({.arrival_s = 50, .input_tokens = 20, .output_tokens = 1}, ids{1, 2, 3, 4, 5});
  const auto e = played({.block_size = 4, .blocks = 100}, unit_steps, table);
  EXPECT_EQ(e.counts().prompt_hits, 12U);
}

TEST(engine_sharing, the_block_not_used_for_longest_goes_first) {
  request_table table{4};
  table.add({.arrival_s = 0, .input_tokens = 4, .output_tokens = 1}, ids{1});
  table.add({.arrival_s = 2, .input_tokens = 4, .output_tokens = 1}, ids{2});
  table.add({.arrival_s = 4, .input_tokens = 5, .output_tokens = 1}, ids{1, 9});  // touches 1
  table.add({.arrival_s = 6, .input_tokens = 4, .output_tokens = 1}, ids{3});     // takes 2's place
  engine e{{.block_size = 4, .blocks = 3}, unit_steps, table};
  for (request_id r = 0; r < table.size(); ++r) {
    e.submit(r, table.arrival_s(r));
    e.advance(table.arrival_s(r) + 1.5);
  }
  EXPECT_EQ(e.prefix_overlap(0), 4U);
  EXPECT_EQ(e.prefix_overlap(1), 0U);
}

TEST(engine_sharing, a_tier_below_brings_back_what_the_gpu_lost) {
  request_table table{4};
  table.add({.arrival_s = 0, .input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  table.add({.arrival_s = 10, .input_tokens = 12, .output_tokens = 1}, ids{5, 6, 7});
  table.add({.arrival_s = 20, .input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  engine_settings s{.block_size = 4, .blocks = 3, .kv_bytes_per_token = 10};
  const linear_timer token_steps(0.5, 0.5, 0, 0);
  const auto without = played(s, token_steps, table);
  EXPECT_EQ(time_of(without.events(), 2, first_token), 25);
  EXPECT_EQ(without.counts().prompt_hits, 0U);
  s.host = {.blocks = 8, .read_bytes_per_s = 40};  // a block of 40 bytes per second
  const auto with = played(s, token_steps, table);
  EXPECT_EQ(with.counts().tiers.host_tokens, 8U);
  EXPECT_EQ(with.counts().prefill_tokens, 9U + 12 + 1);
  EXPECT_EQ(time_of(with.events(), 2, first_token), 23);  // two blocks to read, then a step
}

TEST(engine_sharing, prefill_and_decode_engines_share_a_request) {
  request_table table;
  table.add({.input_tokens = 6, .output_tokens = 3});
  table.add({.input_tokens = 6, .output_tokens = 1});
  const auto first = played({.role = engine_role::prefill, .blocks = 10}, unit_steps, table);
  EXPECT_EQ(time_of(first.events(), 0, first_token), 1);
  EXPECT_EQ(time_of(first.events(), 0, handed_over), 1);
  EXPECT_EQ(time_of(first.events(), 1, finished), 1);  // one token: nothing left to hand over
  EXPECT_EQ(first.counts().decode_tokens, 0U);

  engine second{
      {.role = engine_role::decode, .blocks = 10, .kv_bytes_per_token = 10, .transfer_bytes_per_s = 30},
      unit_steps,
      table};
  second.submit(0, 1);
  second.advance(100);
  EXPECT_EQ(time_of(second.events(), 0, first_token), -1);
  EXPECT_EQ(time_of(second.events(), 0, finished), 1 + 2 + 2);  // 60 bytes, then tokens two and three
}

TEST(engine_sharing, a_link_serves_one_transfer_after_another) {
  request_table table;
  table.add({.input_tokens = 6, .output_tokens = 2});
  table.add({.input_tokens = 6, .output_tokens = 2});
  engine e{{.role = engine_role::decode, .blocks = 10, .kv_bytes_per_token = 10, .transfer_bytes_per_s = 30},
           unit_steps,
           table};
  e.submit(0, 0);
  e.submit(1, 0);
  e.advance(100);
  EXPECT_EQ(time_of(e.events(), 0, finished), 3);
  EXPECT_EQ(time_of(e.events(), 1, finished), 5);
}

TEST(engine_sharing, who_gives_up_leaves_its_blocks) {
  request_table table;
  table.add({.input_tokens = 8, .output_tokens = 100});
  table.add({.input_tokens = 8, .output_tokens = 100});
  table.add({.input_tokens = 8, .output_tokens = 100});
  engine e{{.max_sequences = 2, .block_size = 4, .blocks = 60, .prefix_caching = false}, unit_steps, table};
  for (request_id r = 0; r < 3; ++r) {
    e.submit(r, 0);
  }
  EXPECT_TRUE(e.evict(0, 10.5));  // decoding
  EXPECT_TRUE(e.evict(2, 10.5));  // waiting
  EXPECT_FALSE(e.evict(2, 10.5));
  e.advance(engine::never_s);
  EXPECT_EQ(time_of(e.events(), 1, finished), 100);
  EXPECT_EQ(time_of(e.events(), 0, finished), -1);
  EXPECT_EQ(e.load().free_blocks, 60U);
  EXPECT_EQ(e.counts().evicted, 2U);
  EXPECT_TRUE(e.idle());
}

TEST(engine_sharing, a_failed_engine_loses_all_and_starts_empty) {
  request_table table{4};
  table.add({.input_tokens = 8, .output_tokens = 100}, ids{1, 2});
  table.add({.input_tokens = 8, .output_tokens = 1}, ids{1, 2});
  engine e{{.block_size = 4, .blocks = 60, .async_scheduling = true}, unit_steps, table};
  e.submit(0, 0);
  e.submit(1, 0);
  e.advance(10);
  EXPECT_THAT(e.fail(10.5), testing::ElementsAre(0U));
  EXPECT_TRUE(e.idle());
  EXPECT_EQ(e.load().free_blocks, 60U);
  EXPECT_EQ(e.prefix_overlap(1), 0U);
  e.clear_events();
  e.submit(0, 20);
  e.advance(engine::never_s);
  EXPECT_EQ(time_of(e.events(), 0, first_token), 21);
  EXPECT_EQ(time_of(e.events(), 0, finished), 120);
}

TEST(engine_sharing, load_says_what_a_router_asks) {
  request_table table;
  table.add({.input_tokens = 6, .output_tokens = 9});
  table.add({.input_tokens = 6, .output_tokens = 9});
  engine e{
      {.max_batched_tokens = 8, .max_sequences = 8, .block_size = 4, .blocks = 10, .prefix_caching = false},
      unit_steps,
      table};
  e.submit(0, 0);
  e.submit(1, 0);
  EXPECT_EQ(e.load().waiting, 2U);
  EXPECT_EQ(e.load().queued_tokens, 12U);
  EXPECT_EQ(e.next_s(), 1);
  EXPECT_EQ(e.load().running, 2U);
  EXPECT_EQ(e.load().queued_tokens, 4U);
  EXPECT_EQ(e.load().context_tokens, 8U);
  EXPECT_EQ(e.load().free_blocks, 10U - 2 - 1);
}

TEST(engine_settings, say_which_field_is_wrong) {
  EXPECT_THAT(engine_settings{}.check().why().message, testing::HasSubstr("blocks"));
  engine_settings s{.blocks = 1};
  EXPECT_TRUE(s.check().ok());
  s.watermark = 1;
  EXPECT_THAT(s.check().why().message, testing::HasSubstr("watermark"));
  s = {.blocks = 1, .host = {.blocks = 5, .read_bytes_per_s = 1}};
  EXPECT_THAT(s.check().why().message, testing::HasSubstr("host.blocks"));
  s = {.blocks = 1, .cuda_graph_sizes = {4, 2}};
  EXPECT_THAT(s.check().why().message, testing::HasSubstr("cuda_graph_sizes"));
  EXPECT_THAT(scheduler_named("vllm").why().remedy, testing::HasSubstr("vllm_v1"));
  EXPECT_EQ(*scheduler_named("sglang"), scheduler_kind::sglang);
  const request_table table{6};
  EXPECT_THAT(check_prefixes({.block_size = 4, .blocks = 1}, table).why().message,
              testing::HasSubstr("block_size"));
  EXPECT_TRUE(check_prefixes({.block_size = 3, .blocks = 1}, table).ok());
}

TEST(request_table, chains_blocks_over_all_tokens_before) {
  ids a, b;
  const std::array<std::uint32_t, 9> text{1, 2, 3, 4, 5, 6, 7, 8, 9};
  auto other = text;
  other[0] = 7;
  chain_blocks(text, 4, a);
  chain_blocks(other, 4, b);
  ASSERT_EQ(a.size(), 2U);
  EXPECT_NE(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);  // same tokens, another start
  other = text;
  other[7] = 1;
  chain_blocks(other, 4, b);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);
}

TEST(request_table, counts_what_a_cache_without_bounds_would_hold) {
  request_table table{4};
  table.add({.input_tokens = 10, .output_tokens = 1}, ids{1, 2, 3});
  table.add({.input_tokens = 10, .output_tokens = 1}, ids{1, 2, 4});
  table.add({.input_tokens = 10, .output_tokens = 1}, ids{1, 2, 3});
  EXPECT_EQ(count_sharing(table).tokens, 30U);
  EXPECT_EQ(count_sharing(table).shared, 8U + 10);
}

}  // namespace
}  // namespace ridge::plan::serve
