// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/memory_page.hpp>

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan_report {
namespace {

using testing::HasSubstr;

constexpr double gib = 1024.0 * 1024 * 1024;

training_memory_answer training(double capacity_bytes) {
  training_memory_answer a{.gpu = "H100 SXM", .capacity_bytes = capacity_bytes};
  a.job = {.model = *plan::model_named("meta-llama/Llama-3.1-8B"), .global_batch = 16, .sequence = 4096};
  a.plan.layout.pipeline = 2;
  const plan::train::memory_model model(a.job);
  a.stages = model.by_stage(a.plan);
  a.timeline = step_timeline(model, a.plan);
  a.advice = advise(model, a.plan, a.capacity_bytes, {});
  return a;
}

TEST(training_memory_page, says_whether_the_fullest_rank_fits) {
  EXPECT_THAT(json_of(training_memory_page(training(200 * gib))), HasSubstr("\"fits\": true"));
  const auto small = training_memory_page(training(40 * gib));
  EXPECT_THAT(json_of(small), HasSubstr("\"fits\": false"));
  EXPECT_THAT(json_of(small), HasSubstr("\"capacity_bytes\": 42949672960"));
  EXPECT_THAT(text_of(small), HasSubstr("does not fit"));
}

TEST(training_memory_page, has_a_row_for_each_stage_whose_parts_are_its_total) {
  const auto a = training(80 * gib);
  const auto d = training_memory_page(a);
  const auto ranks = std::ranges::find(d.sheets, "ranks", &report::sheet::key);
  ASSERT_NE(ranks, d.sheets.end());
  ASSERT_EQ(ranks->rows.size(), 2u);
  for (const auto& row : ranks->rows) ASSERT_EQ(row.values.size(), ranks->fields.size());
  const auto total =
      std::ranges::find(ranks->fields, "total_bytes", &report::field::key) - ranks->fields.begin();
  EXPECT_NEAR(
      static_cast<double>(std::get<std::int64_t>(ranks->rows[0].values[static_cast<std::size_t>(total)])),
      a.stages[0].total_bytes(), 1);
}

TEST(inference_memory_page, says_what_is_missing_before_there_is_a_cache) {
  inference_memory_answer a{.gpu = "H100 SXM", .capacity_bytes = 80 * gib};
  a.setup.model = *plan::model_named("meta-llama/Llama-3.1-70B");
  a.setup.max_batched_tokens = 8192, a.setup.max_sequences = 256;
  a.ranks = std::move(inference_memory(a.setup).value());
  a.capacity = *capacity_of(a.setup, a.ranks, a.capacity_bytes, a.load);
  const auto d = inference_memory_page(a);
  EXPECT_THAT(text_of(d), HasSubstr("missing before there is any cache"));
  EXPECT_THAT(json_of(d), HasSubstr("\"fits\": false"));
  EXPECT_THAT(json_of(d), HasSubstr("\"advice\": []"));
}

}  // namespace
}  // namespace ridge::plan_report
