// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/kv_cache_page.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan_report/derivation_sheet.hpp>
#include <ridge/plan_report/models_page.hpp>

namespace ridge::plan_report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

kv_cache_answer answer(plan::model_shape m, plan::kv_question q) {
  q.format = *plan::number_format_named("bf16");
  auto cache = *size_kv_cache(m, q);
  return {.model = std::move(m), .question = q, .cache = std::move(cache)};
}

std::string json(const kv_cache_answer& a) {
  auto page = kv_cache_page(a);
  add_derivation(page, kv_cache_derivation(a), false);
  return json_of(page);
}

TEST(kv_cache_page, has_flat_members) {
  const auto text = json(answer(*plan::model_named("Llama-3.1-70B"), {.tokens = 4096, .batch = 8}));
  EXPECT_THAT(text, AllOf(HasSubstr("\"schema\": \"ridge.plan.kv-cache/1\""),
                          HasSubstr("\n \"bytes_per_token\": 327680,"),
                          HasSubstr("\n \"total_bytes\": 10737418240,"), HasSubstr("\n \"warning\": null,")));
}

TEST(kv_cache_page, warns_of_sizes_that_were_not_given) {
  auto a = answer(*plan::model_of_sizes({.layers = 80, .hidden = 8192}), {.tokens = 4096, .batch = 8});
  a.grouped = *size_kv_cache(*plan::model_of_sizes({80, 8192, 0, 8, 128}), a.question);
  EXPECT_THAT(json(a), AllOf(HasSubstr("\"warning\": \"key-value heads are not given"),
                             HasSubstr("\"total_bytes\": 85899345920"),
                             HasSubstr("\"grouped_query_total_bytes\": 10737418240")));
  EXPECT_THAT(text_of(kv_cache_page(a)),
              AllOf(HasSubstr("80.00 GiB"), HasSubstr("10.00 GiB"), HasSubstr("warning: ")));
}

TEST(kv_cache_page, shows_windows_only_where_there_are_some) {
  const auto hybrid = text_of(kv_cache_page(answer(*plan::model_named("gpt-oss-20b"), {.tokens = 4096})));
  EXPECT_THAT(hybrid,
              AllOf(HasSubstr("once windows are full"), HasSubstr("24.00 KiB"), HasSubstr("3.000 MiB")));
  EXPECT_THAT(text_of(kv_cache_page(answer(*plan::model_named("Llama-3.1-8B"), {.tokens = 4096}))),
              Not(HasSubstr("windows")));
}

TEST(kv_cache_page, lists_each_subtraction_with_its_flag) {
  auto a = answer(*plan::model_named("Llama-3.1-8B"), {.tokens = 8192, .batch = 4});
  a.gpu = "some GPU";
  a.engine = plan::engine_budget_question{.gpu_bytes = 80e9, .share = 0.9, .weight_bytes = 16e9};
  a.fit = *fit_cache(a.model, a.question, {.memory = *a.engine, .all_weight_bytes = 16e9});
  const auto text = text_of(kv_cache_page(a));
  EXPECT_THAT(
      text, AllOf(HasSubstr("vllm on some GPU"), HasSubstr("--gpu-memory-utilization"), HasSubstr("fits: ")));
  EXPECT_THAT(json(a),
              AllOf(HasSubstr("\"fits\": true"), HasSubstr("\"cache_budget_bytes_per_gpu\": 56000000000"),
                    HasSubstr("\"most_sequences\": 52")));
}

TEST(models_page, lists_every_model_with_both_counts) {
  const auto text = json_of(models_page(plan::embedded_models()));
  EXPECT_THAT(
      text, AllOf(HasSubstr("\"name\": \"deepseek-ai/DeepSeek-V3\""),
                  HasSubstr("\"parameters\": 671026419200"), HasSubstr("\"active_parameters\": 37552297472"),
                  HasSubstr("\"kv_bytes_per_token_bf16\": 70272")));
}

TEST(models_page, one_model_has_its_layers_and_classes) {
  const auto text = text_of(model_page(*plan::model_named("gpt-oss-20b")));
  EXPECT_THAT(text, AllOf(HasSubstr("sliding 128, 64 x 64, 8 KV"), HasSubstr("4 of 32 experts of 2880"),
                          HasSubstr("mxfp4 (experts), bf16"), HasSubstr("20 914 757 184")));
  const auto doubted = json_of(model_page(*plan::model_named("gemma-3-4b")));
  EXPECT_THAT(doubted, HasSubstr("only the language model"));
}

}  // namespace
}  // namespace ridge::plan_report
