// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/draft_timer.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/replica_plan.hpp>

#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

iteration decoding(std::int64_t sequences, std::int64_t tokens_each) {
  return {.decode_sequences = sequences,
          .decode_tokens = sequences * tokens_each,
          .decode_context = sequences * 1000,
          .decode_context_max = 1000,
          .sampled = sequences};
}

TEST(DraftTimer, EachDraftedTokenTakesItsShareOfAStep) {
  const auto target = std::make_shared<linear_timer>(0.01, 1e-4, 1e-4, 1e-8);
  const auto both = drafting_timer(target, nullptr, 0.1, 4);
  const auto verify = decoding(8, 5), plain = decoding(8, 1);
  EXPECT_NEAR(both->seconds(verify), target->seconds(verify) + 0.4 * target->seconds(plain), 1e-12);
  const auto line = both->decode(8, 8000);
  EXPECT_NEAR(line.base_s + line.per_context_s * 8000, 1.4 * target->seconds(plain), 1e-12);
}

TEST(DraftTimer, ADraftModelDecodesOnceForEachTokenAndReadsThePrompts) {
  const auto target = std::make_shared<linear_timer>(0.01, 1e-4, 1e-4, 0),
             draft = std::make_shared<linear_timer>(0.001, 1e-5, 1e-5, 0);
  const auto both = drafting_timer(target, draft, 0, 4);
  const auto verify = decoding(8, 5), plain = decoding(8, 1);
  EXPECT_NEAR(both->seconds(verify), target->seconds(verify) + 4 * draft->seconds(plain), 1e-12);
  const iteration prompt{.prefill_tokens = 100, .prefill_sequences = 1, .prefill_pairs = 5050, .sampled = 1};
  EXPECT_GT(both->seconds(prompt), target->seconds(prompt));
}

replica_question asked(std::uint32_t drafted, const std::string& model = "meta-llama/Llama-3.1-8B") {
  replica_question q{.model = *model_named(model),
                     .gpu = *accelerator_named(hardware::catalogue::embedded(), "H100")};
  q.settings.max_batched_tokens = 2048, q.settings.max_sequences = 64;
  q.settings.speculative = {.tokens = drafted, .acceptance = 0.7};
  return q;
}

double step_of(const replica_question& q, std::int64_t tokens_each) {
  const auto planned = plan_replica(q);
  EXPECT_TRUE(planned.ok()) << (planned.ok() ? "" : planned.why().text());
  return planned->pool.timer->seconds(decoding(16, tokens_each));
}

// Whatever the last layer is, and however many kinds of layers come before it.
TEST(DraftTimer, EveryModelOfTheCatalogueCanDraftForItself) {
  for (const auto& model : embedded_models()) {
    auto q = asked(2, model.name);
    q.layout.tensor = 8;
    q.settings.blocks = 1000;
    if (!check_layout(q.model, q.layout)) continue;
    const auto planned = plan_replica(q);
    EXPECT_TRUE(planned.ok()) << model.name << ": " << (planned.ok() ? "" : planned.why().text());
  }
}

// One of 32 layers and the output head: 3 % and 7 % of the weights for each token.
TEST(DraftTimer, WithoutADraftOneLayerOfTheTargetIsCharged) {
  const double free = step_of(asked(0), 5), charged = step_of(asked(4), 5), plain = step_of(asked(0), 1);
  EXPECT_GT(charged, free + 4 * 0.05 * plain);
  EXPECT_LT(charged, free + 4 * 0.25 * plain);
  const auto planned = *plan_replica(asked(4));
  const auto* draft = find(planned.derivation, "draft_ms");
  ASSERT_NE(draft, nullptr);
  EXPECT_EQ(draft->basis, basis::assumed);
  EXPECT_THAT(draft->formula, testing::HasSubstr("one layer of meta-llama/Llama-3.1-8B"));
  EXPECT_EQ(find(plan_replica(asked(0))->derivation, "draft_ms"), nullptr);
}

TEST(DraftTimer, AnotherModelIsChargedItsSteps) {
  auto q = asked(4, "meta-llama/Llama-3.1-70B");
  q.layout.tensor = 4;
  const double layer = step_of(q, 5);
  q.draft.model = *model_named("meta-llama/Llama-3.1-8B");
  EXPECT_GT(step_of(q, 5), layer);
  q.draft = {.model = {}, .step_share = 0.01};
  EXPECT_LT(step_of(q, 5), layer);
}

}  // namespace
}  // namespace ridge::plan::serve
