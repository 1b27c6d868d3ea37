// SPDX-License-Identifier: Apache-2.0
// LoRA adapters: their bytes, what they add to steps, and their places in an engine.
#include <ridge/plan/adapters.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/replica_plan.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "engine_fixture.hpp"
#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

using enum engine_event_kind;

replica_question llama_8b() {
  replica_question q{.model = model_named("meta-llama/Llama-3.1-8B").value(),
                     .gpu = accelerator_named(hardware::catalogue::embedded(), "H100").value()};
  q.settings.max_batched_tokens = q.settings.max_sequences = 0;
  return q;
}

double adapters_on(int tensor, adapter_choice a) {
  const auto q = llama_8b();
  inference_setup s{.model = q.model, .layout = {.tensor = tensor}};
  s.max_batched_tokens = 8192, s.max_sequences = 256;
  s.adapters = a;
  return inference_memory(s)->front().adapters_bytes;
}

// PEFT counts 41,943,040 trainable parameters of rank 16 in the seven products of Llama 3.1 8B, and
// 13,631,488 in the four of attention.
TEST(adapters, weigh_what_their_products_have) {
  EXPECT_EQ(adapters_on(1, {.count = 1, .rank = 16}), 2 * 41943040.0);
  EXPECT_EQ(adapters_on(1, {.count = 1, .rank = 16, .targets = adapter_targets::attention}), 2 * 13631488.0);
  EXPECT_EQ(adapters_on(1, {.count = 9, .rank = 16, .resident = 3}),
            3 * adapters_on(1, {.count = 1, .rank = 16}));
  EXPECT_EQ(adapters_on(1, {}), 0);
  // Two ranks halve the outputs of queries, keys, values, gate and up and the inputs of the others.
  const double divided = 2 * 16 * 32.0 * (4096 + 2 * 1024 + 4096 + 3 * 14336);
  EXPECT_EQ(adapters_on(2, {.count = 1, .rank = 16}), 2 * 41943040.0 - divided / 2);
}

TEST(adapters, leave_less_for_the_cache_and_take_time_of_every_step) {
  auto q = llama_8b();
  const auto without = plan_replica(q);
  q.adapters = {.count = 8, .rank = 64};
  const auto with = plan_replica(q);
  ASSERT_TRUE(with.ok()) << with.why().text();
  const double block = 16 * without->kv_bytes_per_token;
  EXPECT_NEAR(without->pool.engine.blocks - with->pool.engine.blocks, 8 * 4 * 2 * 41943040.0 / block, 1);
  const auto& timer = *with->pool.engine.adapters.timer;
  EXPECT_EQ(timer.seconds(0, 0), 0);
  for (const std::int64_t tokens : {1, 16, 256, 4096}) {
    EXPECT_GT(timer.seconds(tokens, 1), 0);
    EXPECT_LE(timer.seconds(tokens, 1), timer.seconds(2 * tokens, 1));
    EXPECT_LE(timer.seconds(tokens, 1), timer.seconds(tokens, 8));
  }
  // Matrices of eight adapters are read once each: at least their bytes at the peak of the memory.
  EXPECT_GT(timer.seconds(64, 8), 8 * 4 * 2 * 41943040.0 / q.gpu.bandwidth_bytes_per_s);
}

serving_summary with_adapters(const replica_question& q, std::uint32_t adapters) {
  auto asked =
      *generate_workload({.requests = 200, .rate = 40, .prompt = {.mean = 256}, .output = {.mean = 64}});
  if (adapters > 0) draw_adapters(asked, adapters, 1, 5);
  const cluster_settings cluster{.pools = {plan_replica(q)->pool}};
  return summarize(asked, *simulate_cluster(cluster, asked), {});
}

TEST(adapters, none_answer_as_before_and_some_are_slower) {
  auto q = llama_8b();
  const auto without = with_adapters(q, 0);
  q.adapters.targets = adapter_targets::attention;
  EXPECT_EQ(with_adapters(q, 0).tpot.mean_s, without.tpot.mean_s);
  EXPECT_EQ(with_adapters(q, 0).adapter_uses, 0);
  q.adapters = {.count = 16, .rank = 16};
  const auto all = with_adapters(q, 16);
  EXPECT_GT(all.tpot.mean_s, without.tpot.mean_s);
  EXPECT_EQ(all.adapter_uses, 200);
  EXPECT_LE(all.adapter_loads, 16);
  q.adapters.resident = 2;
  const auto few = with_adapters(q, 16);
  EXPECT_GE(few.adapter_loads, all.adapter_loads);
  EXPECT_GT(few.queue.mean_s, all.queue.mean_s);
}

// One slot: the second request waits for the first, which the third may join.
TEST(adapters, a_request_without_a_slot_is_passed_over) {
  request_table table;
  for (const std::uint32_t adapter : {1U, 2U, 1U})
    table.add({.input_tokens = 4, .output_tokens = 3, .adapter = adapter});
  const linear_timer unit(1, 0, 0, 0);
  engine_settings s{.blocks = 100, .adapters = {.slots = 1, .load_s = 10}};
  const auto e = played(s, unit, table);
  EXPECT_EQ(time_of(e.events(), 0, first_token), 11);  // loaded, then a step
  EXPECT_EQ(time_of(e.events(), 2, first_token), 11);
  EXPECT_EQ(time_of(e.events(), 2, finished), 13);
  EXPECT_EQ(time_of(e.events(), 1, first_token), 13 + 11);
  EXPECT_EQ(e.counts().adapter_loads, 2U);
  EXPECT_EQ(e.counts().adapter_uses, 3U);
  s.adapters.slots = 2;
  EXPECT_EQ(time_of(played(s, unit, table).events(), 1, first_token), 21);  // both are loaded first
}

TEST(adapters, the_longest_unused_makes_room) {
  request_table table;
  const std::uint32_t order[]{1, 2, 1, 3, 1, 2};
  for (std::uint32_t r = 0; r < 6; ++r)
    table.add({.arrival_s = 10.0 * r, .input_tokens = 4, .output_tokens = 1, .adapter = order[r]});
  const auto e =
      played({.blocks = 100, .adapters = {.slots = 2, .load_s = 1}}, linear_timer(1, 0, 0, 0), table);
  // 1 and 2 are loaded, 3 replaces 2, 1 is still there, 2 replaces 3.
  EXPECT_EQ(e.counts().adapter_loads, 4U);
  EXPECT_EQ(time_of(e.events(), 4, first_token), 41);
  EXPECT_EQ(time_of(e.events(), 5, first_token), 52);
}

TEST(adapters, are_drawn_by_popularity_and_share_no_prompts) {
  auto w = *generate_workload({.requests = 30000, .rate = 10, .sessions = {.shared_tokens = 64}});
  const auto before = w;
  draw_adapters(w, 4, 1, 1);
  std::vector<double> drawn(5);
  for (const auto& r : w.requests) drawn[r.adapter] += 1.0 / 30000;
  for (int k = 1; k <= 4; ++k)
    EXPECT_NEAR(drawn[static_cast<std::size_t>(k)], 1 / (k * (25.0 / 12)), 0.01) << k;
  EXPECT_EQ(drawn[0], 0);
  const auto first_of = [&](std::uint32_t adapter) {
    return *std::ranges::find(w.requests, adapter, &workload_request::adapter);
  };
  EXPECT_NE(w.hashes_of(first_of(1))[0], w.hashes_of(first_of(2))[0]);
  EXPECT_EQ(before.hashes_of(before.requests[0]).size(), w.hashes_of(w.requests[0]).size());
  auto sessions = *generate_workload({.requests = 500, .rate = 1, .sessions = {.turns = 5}});
  draw_adapters(sessions, 50, 0, 1);
  for (const auto& r : sessions.requests) {
    if (r.follows == no_request) continue;
    EXPECT_EQ(r.adapter, sessions.requests[r.follows].adapter);
  }
}

}  // namespace
}  // namespace ridge::plan::serve
