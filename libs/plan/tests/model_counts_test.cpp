// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/model_catalogue.hpp>

#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

struct published {
  const char* name;
  std::int64_t total, active;
};

class published_counts : public testing::TestWithParam<published> {};

TEST_P(published_counts, equal_the_models_own) {
  const auto& want = GetParam();
  const auto model = model_named(want.name);
  ASSERT_TRUE(model.ok()) << model.why().text();
  const auto counts = count_parameters(*model);
  EXPECT_EQ(counts.total(), want.total);
  EXPECT_EQ(counts.active(), want.active > 0 ? want.active : want.total);
  EXPECT_TRUE(model->doubts.empty()) << model->doubts.front();
}

INSTANTIATE_TEST_SUITE_P(models, published_counts,
                         testing::Values(published{"meta-llama/Llama-3.1-8B", 8030261248, 0},
                                         published{"meta-llama/Llama-3.1-70B", 70553706496, 0},
                                         published{"meta-llama/Llama-3.1-405B", 405853388800, 0},
                                         published{"mistralai/Mixtral-8x7B-v0.1", 46702792704, 12879925248},
                                         published{"mistralai/Mixtral-8x22B-v0.1", 140620634112, 39152031744},
                                         published{"Qwen/Qwen3-0.6B", 596049920, 0},
                                         published{"Qwen/Qwen3-1.7B", 1720574976, 0},
                                         published{"Qwen/Qwen3-8B", 8190735360, 0},
                                         published{"Qwen/Qwen3-32B", 32762123264, 0},
                                         published{"Qwen/Qwen3-30B-A3B", 30532122624, 3353032704},
                                         published{"Qwen/Qwen3-235B-A22B", 235093634560, 22190763520},
                                         published{"openai/gpt-oss-20b", 20914757184, 4187440704},
                                         published{"openai/gpt-oss-120b", 116829156672, 5711982912},
                                         published{"deepseek-ai/DeepSeek-V3", 671026419200, 37552297472},
                                         published{"deepseek-ai/DeepSeek-R1", 671026419200, 37552297472}));

}  // namespace
}  // namespace ridge::plan
