// SPDX-License-Identifier: Apache-2.0
// Images of requests in an engine: when they are encoded, and what that takes.
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/replica_plan.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "engine_fixture.hpp"
#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

using enum engine_event_kind;

// Prompts of 4 tokens and two images of 6; steps of 8 tokens: the second step begins both images' last one.
TEST(images, are_encoded_in_the_step_that_computes_their_first_token) {
  request_table table;
  table.add({.input_tokens = 16, .output_tokens = 1});
  const linear_timer unit(1, 0, 0, 0);
  engine_settings s{.max_batched_tokens = 8, .blocks = 10};
  EXPECT_EQ(time_of(played(s, unit, table).events(), 0, first_token), 2);
  s.images = {.count = 2, .tokens = 6, .encode_s = {0, 10, 15}};
  EXPECT_EQ(time_of(played(s, unit, table).events(), 0, first_token), 2 + 2 * 10);  // tokens 4 and 10
  s.max_batched_tokens = 16;
  EXPECT_EQ(time_of(played(s, unit, table).events(), 0, first_token), 1 + 15);  // together
  EXPECT_EQ(s.images.seconds(4), 25);
}

TEST(images, take_tokens_of_the_prompt_and_time_before_the_first_token) {
  replica_question q{.model = model_named("Qwen/Qwen2.5-VL-7B-Instruct").value(),
                     .gpu = accelerator_named(hardware::catalogue::embedded(), "H100").value()};
  q.settings.max_batched_tokens = q.settings.max_sequences = 0;
  EXPECT_EQ(plan_replica(q)->pool.engine.images.count, 0U);
  q.images = {.count = 2, .width = 560, .height = 280};
  const auto small = plan_replica(q)->pool.engine.images;
  EXPECT_EQ(small.tokens, 202U);
  q.images.width = 1120;
  const auto large = plan_replica(q)->pool.engine.images;
  EXPECT_EQ(large.tokens, 402U);
  for (std::size_t n = 1; n < small.encode_s.size(); ++n) {
    EXPECT_GE(large.encode_s[n], small.encode_s[n]);
    EXPECT_GE(small.encode_s[n], small.encode_s[n - 1]);
  }
  const auto image = *patches_of(q.model.vision, 1120, 280);
  EXPECT_GT(large.encode_s[16], 16 * encode_flop(q.model.vision, image) / q.gpu.peak_flop_per_s("bf16"));
  q.model = model_named("meta-llama/Llama-3.1-8B").value();
  EXPECT_FALSE(plan_replica(q).ok());
}

TEST(images, of_llama_are_attended_to_by_their_own_rows) {
  replica_question q{.model = model_named("meta-llama/Llama-3.2-11B-Vision").value(),
                     .gpu = accelerator_named(hardware::catalogue::embedded(), "H100").value()};
  q.images = {.count = 2, .width = 560, .height = 560};
  const auto complete = completed(q);
  ASSERT_TRUE(complete.ok());
  for (const auto& kind : complete->model.kinds) {
    EXPECT_TRUE(kind.cross_kv_tokens == 0 || kind.cross_kv_tokens == 2 * 1601) << kind.cross_kv_tokens;
  }
}

TEST(images, lengthen_prompts_but_not_those_of_sessions) {
  auto single = *generate_workload(
      {.requests = 5, .rate = 1, .prompt = {.mean = 100}, .sessions = {.shared_tokens = 64}});
  const auto shared = single.hashes_of(single.requests[0])[0];
  ASSERT_TRUE(add_images(single, 402).ok());
  EXPECT_EQ(single.requests[0].prompt_tokens, 64 + 100 + 402U);
  EXPECT_EQ(single.hashes_of(single.requests[0]).size(), 164U / 16);  // none of the answer
  EXPECT_EQ(single.hashes_of(single.requests[1])[0], shared);
  auto sessions = *generate_workload({.requests = 50, .rate = 1, .sessions = {.turns = 4}});
  EXPECT_FALSE(add_images(sessions, 402).ok());
}

}  // namespace
}  // namespace ridge::plan::serve
