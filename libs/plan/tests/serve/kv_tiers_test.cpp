// SPDX-License-Identifier: Apache-2.0
// Tiers of the KV cache below the GPU: what they keep, what is loaded from them, and when computing again is
// sooner.
#include <list>
#include <random>

#include <gtest/gtest.h>

#include "engine_fixture.hpp"
#include "linear_timer.hpp"
#include "serve/engine/block_pool.hpp"

namespace ridge::plan::serve {
namespace {

using ids = std::vector<std::uint64_t>;
using enum engine_event_kind;

const linear_timer token_steps(0.5, 0.5, 0, 0);

// Two prompts of two blocks each, a third that takes the GPU's three blocks, and the first again; a token
// takes half a second, a block 40 bytes.
request_table evicted_prompt() {
  request_table table{4};
  table.add({.arrival_s = 0, .input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  table.add({.arrival_s = 20, .input_tokens = 12, .output_tokens = 1}, ids{5, 6, 7});
  table.add({.arrival_s = 40, .input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  return table;
}

engine_settings small_gpu() { return {.block_size = 4, .blocks = 3, .kv_bytes_per_token = 10}; }

TEST(kv_tiers, what_is_sooner_computed_than_loaded_is_computed) {
  const auto table = evicted_prompt();
  auto s = small_gpu();
  s.host = {.blocks = 8, .read_bytes_per_s = 15};  // 80 bytes take 5.3 s, their tokens 4 s
  const auto e = played(s, token_steps, table);
  EXPECT_EQ(time_of(e.events(), 2, first_token), 45);
  EXPECT_EQ(e.counts().tiers.recomputations, 1U);
  EXPECT_EQ(e.counts().tiers.recomputed_tokens, 8U);
  EXPECT_EQ(e.counts().tiers.loads, 0U);
  EXPECT_EQ(e.counts().prompt_hits, 0U);
  s.host.read_bytes_per_s = 25;  // 3.2 s
  EXPECT_EQ(played(s, token_steps, table).counts().tiers.loads, 1U);
}

TEST(kv_tiers, nothing_is_loaded_over_a_link_without_bandwidth) {
  const auto table = evicted_prompt();
  auto s = small_gpu();
  const auto without = played(s, token_steps, table);
  s.host = {.blocks = 8, .read_bytes_per_s = 0};
  s.disk = {.blocks = 8, .read_bytes_per_s = 1e9};  // behind that link
  const auto e = played(s, token_steps, table);
  EXPECT_EQ(e.counts().tiers.loads, 0U);
  EXPECT_EQ(e.counts().tiers.link_bytes, 0);
  for (request_id r = 0; r < table.size(); ++r)
    EXPECT_EQ(time_of(e.events(), r, first_token), time_of(without.events(), r, first_token));
}

TEST(kv_tiers, a_slow_disk_does_not_hold_up_what_the_host_has) {
  request_table table{4};
  table.add({.arrival_s = 0, .input_tokens = 13, .output_tokens = 1}, ids{1, 2, 3});
  table.add({.arrival_s = 20, .input_tokens = 16, .output_tokens = 1}, ids{5, 6, 7, 8});
  table.add({.arrival_s = 40, .input_tokens = 13, .output_tokens = 1}, ids{1, 2, 3});
  auto s = small_gpu();
  s.blocks = 4;
  s.host = {.blocks = 2, .read_bytes_per_s = 80};
  s.disk = {.blocks = 8, .read_bytes_per_s = 1};
  const auto slow = played(s, token_steps, table);
  // 3, 2 and 1 left the GPU in this order, so the disk has 3: 80 bytes in a second, then five tokens.
  EXPECT_EQ(slow.counts().tiers.host_tokens, 8U);
  EXPECT_EQ(slow.counts().tiers.disk_tokens, 0U);
  EXPECT_EQ(slow.counts().tiers.recomputed_tokens, 4U);
  EXPECT_EQ(time_of(slow.events(), 2, first_token), 40 + 1 + 3);
  s.disk.read_bytes_per_s = 20;  // 2 s beside the 1.5 s of the link, then one token
  const auto fast = played(s, token_steps, table);
  EXPECT_EQ(fast.counts().tiers.disk_tokens, 4U);
  EXPECT_EQ(fast.counts().tiers.disk_bytes, 40);
  EXPECT_EQ(fast.counts().tiers.link_bytes, 120);
  EXPECT_EQ(time_of(fast.events(), 2, first_token), 40 + 2 + 1);
}

TEST(kv_tiers, a_link_serves_one_load_after_another_and_the_engine_computes_meanwhile) {
  request_table table{4};
  table.add({.arrival_s = 0, .input_tokens = 8, .output_tokens = 1}, ids{1, 2});
  table.add({.arrival_s = 20, .input_tokens = 8, .output_tokens = 1}, ids{3, 4});
  table.add({.arrival_s = 40, .input_tokens = 32, .output_tokens = 1}, ids{11, 12, 13, 14, 15, 16, 17, 18});
  table.add({.arrival_s = 80, .input_tokens = 9, .output_tokens = 1}, ids{1, 2});
  table.add({.arrival_s = 80, .input_tokens = 9, .output_tokens = 1}, ids{3, 4});
  table.add({.arrival_s = 80, .input_tokens = 2, .output_tokens = 1}, ids{});
  auto s = small_gpu();
  s.blocks = 8;
  s.host = {.blocks = 8, .read_bytes_per_s = 80};
  const auto e = played(s, token_steps, table);
  EXPECT_EQ(e.counts().tiers.loads, 2U);
  EXPECT_EQ(e.counts().tiers.load_s, 1 + 2);
  EXPECT_EQ(time_of(e.events(), 5, first_token), 81.5);  // beside the loads
  EXPECT_EQ(time_of(e.events(), 3, first_token), 82.5);  // loaded at 81, at 81.5 the step ends
  EXPECT_EQ(time_of(e.events(), 4, first_token), 83.5);  // loaded at 82
}

// A tier as a list of keys, the longest unused first.
struct kept_list {
  std::size_t room;
  std::list<std::uint64_t> keys{};

  bool has(std::uint64_t key) const { return std::ranges::find(keys, key) != keys.end(); }
  std::uint64_t keep(std::uint64_t key) {  // 0: nothing was given up
    keys.remove(key);
    keys.push_back(key);
    if (keys.size() <= room) return 0;
    const auto left = keys.front();
    keys.pop_front();
    return left;
  }
};

TEST(kv_tiers, blocks_go_down_in_order_of_their_last_use_and_none_is_lost_or_doubled) {
  constexpr std::uint32_t gpu = 5;
  block_pool pool(gpu, 7, 11);
  kept_list held{gpu}, host{7}, disk{11};
  std::mt19937 random{3};
  std::uniform_int_distribution<std::uint64_t> any{1, 40};
  std::uint64_t lost = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto key = any(random);
    block_list list;
    if (const auto found = pool.find(key); found != block_pool::none) {
      pool.append_held(list, found);
    } else {
      pool.touch(key);
      if (host.has(key)) (void)host.keep(key);
      if (disk.has(key)) (void)disk.keep(key);
      pool.append_new(list);
      pool.name(pool.last(list), key);
    }
    pool.release(list, true);
    if (const auto down = held.keep(key); down != 0)
      if (const auto further = host.keep(down); further != 0 && disk.keep(further) != 0) ++lost;
    for (std::uint64_t k = 1; k <= 40; ++k) {
      ASSERT_EQ(pool.find(k) != block_pool::none, held.has(k)) << i;
      ASSERT_EQ(pool.in_host(k), host.has(k)) << i;
      ASSERT_EQ(pool.in_disk(k), disk.has(k)) << i;
    }
  }
  EXPECT_EQ(pool.host_blocks(), 7U);
  EXPECT_EQ(pool.disk_blocks(), 11U);
  EXPECT_EQ(pool.lost_blocks(), lost);
}

// Conversations that come back: prompts of 1 to 12 blocks, each longer than the last of its family.
request_table conversations(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::uniform_int_distribution<std::uint64_t> family{1, 30};
  std::uniform_int_distribution<std::uint32_t> length{1, 12};
  request_table table{4};
  for (std::uint32_t r = 0; r < 400; ++r) {
    const auto f = family(random);
    ids blocks(length(random));
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b] = f * 100 + b;
    const auto tokens = static_cast<std::uint32_t>(4 * blocks.size() + 1);
    table.add({.arrival_s = 1000.0 * r, .input_tokens = tokens, .output_tokens = 1}, blocks);
  }
  return table;
}

TEST(kv_tiers, a_larger_tier_never_has_fewer_hits_and_one_without_bounds_has_all) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto table = conversations(seed);
    const auto hits = [&](std::uint64_t host, std::uint64_t disk) {
      auto s = small_gpu();
      s.blocks = 14;
      s.host = {.blocks = host, .read_bytes_per_s = 1e9};
      s.disk = {.blocks = disk, .read_bytes_per_s = 1e9};
      return played(s, token_steps, table).counts().prompt_hits;
    };
    auto fewer = hits(0, 0);
    for (const std::uint64_t blocks : {5U, 17U, 40U, 90U, 200U, 400U}) {
      const auto more = hits(blocks, 0);
      EXPECT_GE(more, fewer) << blocks;
      EXPECT_GE(hits(17, blocks), hits(17, 0)) << blocks;
      fewer = more;
    }
    // The trace names what recurs; the one token beyond the blocks of a prompt is computed in any case.
    EXPECT_EQ(fewer, count_sharing(table).shared);
    EXPECT_EQ(hits(0, 400), count_sharing(table).shared);
  }
}

}  // namespace
}  // namespace ridge::plan::serve
