// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/replica_plan.hpp>

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

namespace ridge::plan::serve {
namespace {

using kernels::engine_profile;

replica_question question(const std::string& engine = "vllm") {
  replica_question q;
  q.model = model_named("Qwen3-32B").value();
  q.gpu = accelerator_named(hardware::catalogue::embedded(), "H100").value();
  q.layout.tensor = 2;
  q.engine = engine;
  q.settings.max_batched_tokens = q.settings.max_sequences = 0;
  return q;
}

serving_summary served(const replica_question& q, std::uint32_t clients = 64, double prompt = 1024) {
  const auto planned = plan_replica(q);
  EXPECT_TRUE(planned.ok()) << planned.why().text();
  const auto asked = generate_workload(
      {.requests = 4 * clients, .clients = clients, .prompt = {.mean = prompt}, .output = {.mean = 32}});
  const cluster_settings cluster{.pools = {planned->pool}};
  const auto run = simulate_cluster(cluster, *asked);
  EXPECT_TRUE(run.ok());
  return summarize(*asked, *run, {});
}

TEST(ReplicaPlan, TheConstantsOfTheNamedEngineAreUsed) {
  const auto vllm = served(question("vllm")), sglang = served(question("sglang")),
             trtllm = served(question("trtllm"));
  EXPECT_NE(vllm.tpot.mean_s, trtllm.tpot.mean_s);
  EXPECT_NE(vllm.tpot.mean_s, sglang.tpot.mean_s);
  EXPECT_NE(sglang.ttft.mean_s, trtllm.ttft.mean_s);
  auto given = question("vllm");
  given.constants = kernels::engine_named("vllm").value();
  EXPECT_EQ(served(given).ttft.mean_s, vllm.ttft.mean_s);
}

// A constant that nothing reads would make every calibration a claim without effect.
TEST(ReplicaPlan, EachConstantChangesTheAnswer) {
  struct change {
    const char* name;
    std::function<void(engine_profile&)> apply;
  };
  const std::vector<change> changes{
      {"step_s", [](auto& e) { e.overheads.step_s += 5e-3; }},
      {"sequence_s", [](auto& e) { e.overheads.sequence_s += 1e-4; }},
      {"hidden_step_s", [](auto& e) { e.overheads.hidden_step_s = 0.1; }},
      {"hidden_sequence_s", [](auto& e) { e.overheads.hidden_sequence_s = 2e-3; }},
      {"request_s", [](auto& e) { e.overheads.request_s += 0.05; }},
      {"front_end_s", [](auto& e) { e.overheads.front_end_s += 0.01; }},
      {"kernel_launch_s", [](auto& e) { e.overheads.kernel_launch_s = 1e-3; }},
      {"graph_tokens", [](auto& e) { e.overheads.graph_tokens = 0, e.overheads.kernel_launch_s = 1e-4; }},
      {"flop", [](auto& e) { e.scaling.flop *= 0.7; }},
      {"bandwidth", [](auto& e) { e.scaling.bandwidth *= 0.7; }},
      {"collective_floor_s", [](auto& e) { e.scaling.collective_floor_s += 1e-4; }},
  };
  auto q = question();
  q.constants = kernels::engine_named("vllm").value();
  const auto before = served(q);
  for (const auto& c : changes) {
    auto other = q;
    c.apply(*other.constants);
    const auto after = served(other);
    EXPECT_TRUE(after.ttft.mean_s != before.ttft.mean_s || after.tpot.mean_s != before.tpot.mean_s) << c.name;
  }
}

// vLLM divides each expert among all ranks without being asked; the others hold a whole model in each.
TEST(ReplicaPlan, DataParallelRanksShareExpertsAsTheirEngineDoes) {
  auto q = question("vllm");
  q.model = model_named("Qwen/Qwen3-235B-A22B").value();
  q.layout = {.tensor = 4, .data = 2};
  EXPECT_EQ(completed(q)->layout.expert_tensor, 8);
  q.engine = "sglang";
  EXPECT_EQ(completed(q)->layout.expert_tensor, 1);
  EXPECT_TRUE(lacks_memory(q));  // 470 GB in bf16 on four GPUs
  q.layout.expert = 4;
  EXPECT_EQ(completed(q)->layout.expert_tensor, 2);
}

TEST(ReplicaPlan, AQuestionIsCompletedByItsEngine) {
  auto q = question("trtllm");
  EXPECT_EQ(completed(q)->settings.max_sequences, 2048U);
  q.engine = "vllm";
  EXPECT_EQ(completed(q)->settings.max_sequences, 1024U);
  q.gpu = accelerator_named(hardware::catalogue::embedded(), "RTX 4090").value();
  EXPECT_EQ(completed(q)->settings.max_sequences, 256U);  // vLLM's default below 70 GiB
  q.settings.max_sequences = 300;
  EXPECT_EQ(completed(q)->settings.max_sequences, 300U);
}

TEST(ReplicaPlan, ARequestPassesTheFrontEndBeforeItsFirstStep) {
  auto q = question();
  q.constants = kernels::engine_named("vllm").value();
  q.constants->overheads.front_end_s = q.constants->overheads.request_s = 0;
  const auto without = served(q, 1);
  q.constants->overheads.front_end_s = 0.01, q.constants->overheads.request_s = 0.03;
  const auto with = served(q, 1);
  EXPECT_NEAR(with.ttft.mean_s - without.ttft.mean_s, 0.04, 1e-9);
  EXPECT_NEAR(with.e2e.mean_s - without.e2e.mean_s, 0.04, 1e-9);
  EXPECT_NEAR(with.tpot.mean_s, without.tpot.mean_s, 1e-12);
}

// Eight requests at once: the n-th leaves a front end of 10 ms after n times as long.
TEST(ReplicaPlan, TheFrontEndHandlesOneRequestAfterAnother) {
  auto q = question();
  q.constants = kernels::engine_named("vllm").value();
  q.constants->overheads = {
      .engine = "vllm", .step_s = 0, .request_s = 0, .front_end_s = 1, .kernel_launch_s = 0};
  const auto planned = plan_replica(q);
  const auto asked =
      generate_workload({.requests = 8, .clients = 8, .prompt = {.mean = 16}, .output = {.mean = 1}});
  const cluster_settings cluster{.pools = {planned->pool}};
  const auto run = simulate_cluster(cluster, *asked);
  ASSERT_TRUE(run.ok());
  for (std::size_t n = 0; n < run->requests.size(); ++n)
    EXPECT_NEAR(run->requests[n].ttft_s(), static_cast<double>(n + 1), 0.1);
}

constexpr double gib = 1024.0 * 1024 * 1024;

// 64 layers of 8 heads of 128 in 16 bits: 262144 bytes a token, 4 MiB a block of 16.
TEST(ReplicaPlan, TiersHaveBlocksOfAllRanksAndTheLinksOfAllGpus) {
  auto q = question();
  q.tiers = {.cpu_bytes = 64 * gib, .ssd_bytes = gib, .ssd_bytes_per_s = 6e9};
  const auto two = plan_replica(q);
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->pool.engine.host.blocks, 64U * 256);
  EXPECT_EQ(two->pool.engine.disk.blocks, 256U);
  EXPECT_EQ(two->pool.engine.disk.read_bytes_per_s, 6e9);
  EXPECT_NEAR(two->pool.engine.host.read_bytes_per_s, 2 * 50.1e9, 1);
  q.tiers.cpu_bytes_per_s = 20e9;
  EXPECT_EQ(plan_replica(q)->pool.engine.host.read_bytes_per_s, 40e9);
  // Every rank keeps the latent rows of MLA, hence as many copies of them.
  q.model = model_named("DeepSeek-V2-Lite").value();
  const auto copies = plan_replica(q);
  ASSERT_TRUE(copies.ok()) << copies.why().text();
  EXPECT_EQ(copies->pool.engine.tier_bytes_per_token, 2 * copies->kv_bytes_per_token);
}

TEST(ReplicaPlan, ATierWithoutItsRateOrItsUseIsRefused) {
  auto q = question();
  q.tiers.ssd_bytes = gib;
  EXPECT_NE(plan_replica(q).why().text().find("--kv-ssd-gbs"), std::string::npos);
  q.tiers = {.cpu_bytes_per_s = 1e9};
  EXPECT_NE(plan_replica(q).why().text().find("--kv-cpu-gib"), std::string::npos);
  q.tiers = {.cpu_bytes = -gib};
  EXPECT_NE(plan_replica(q).why().text().find("--kv-cpu-gib -1"), std::string::npos);
  q.tiers = {.cpu_bytes = gib};
  q.settings.prefix_caching = false;
  EXPECT_NE(plan_replica(q).why().text().find("--no-prefix-caching"), std::string::npos);
}

}  // namespace
}  // namespace ridge::plan::serve
