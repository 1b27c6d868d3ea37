// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/deployments.hpp>

#include <set>

#include <gmock/gmock.h>

#include <ridge/plan/model_catalogue.hpp>

namespace ridge::analysis {
namespace {

using ::testing::ElementsAre;

plan::accelerator gpu_named(const std::string& name) {
  return *plan::accelerator_named(hardware::catalogue::embedded(), name);
}

TEST(Deployments, GpusWithoutLinksOfTheirOwnAreJoinedOverPcie) {
  const auto all = deployments({.model = *plan::model_named("meta-llama/Llama-3.1-8B"),
                                .gpus = {{.gpu = gpu_named("L40S"), .usd_per_hour = 1}},
                                .kv_formats = {"bf16"},
                                .batches = {1}});
  ASSERT_TRUE(all) << all.why().text();
  std::set<std::string> tensor;
  for (const auto& c : *all) tensor.insert(c.settings.at("tensor"));
  EXPECT_THAT(tensor, ElementsAre("1", "2", "4", "8"));
}

TEST(Deployments, FewRequestsAreSlowerThanTheMean) {
  const auto all = deployments({.model = *plan::model_named("meta-llama/Llama-3.1-8B"),
                                .gpus = {{.gpu = gpu_named("B200"), .usd_per_hour = 1}}});
  ASSERT_TRUE(all) << all.why().text();
  for (const auto& c : *all) {
    if (!c.values.contains("ttft.p95")) continue;
    EXPECT_GE(c.values.at("ttft.p95"), c.values.at("ttft")) << c.name;
  }
}

TEST(Deployments, AGpuIsOfTheSizeThatItIsCalledBy) {
  constexpr double gib = 1073741824.0;
  EXPECT_TRUE(has_memory(gpu_named("L4"), 24 * gib));
  EXPECT_TRUE(has_memory(gpu_named("L4"), 24e9));
  EXPECT_TRUE(has_memory(gpu_named("GB200"), 186 * gib));  // 186e9 bytes
  EXPECT_FALSE(has_memory(gpu_named("B200"), 24 * gib));
  EXPECT_FALSE(has_memory(gpu_named("L40S"), 40 * gib));
  EXPECT_FALSE(has_memory(gpu_named("H100"), 96 * gib));
}

}  // namespace
}  // namespace ridge::analysis
