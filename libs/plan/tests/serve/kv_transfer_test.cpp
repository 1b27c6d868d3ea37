// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/kv_transfer.hpp>

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

using testing::HasSubstr;

kv_transfer between(const char* model, int prefill, int decode) {
  return kv_transfer_of(*model_named(model), {.tensor = prefill}, {.tensor = decode});
}

TEST(kv_transfer, ranks_fetch_the_heads_that_they_keep) {
  const auto* grouped = "meta-llama/Llama-3.1-70B";  // 8 key-value heads
  EXPECT_DOUBLE_EQ(between(grouped, 2, 8).copies, 1);
  EXPECT_EQ(between(grouped, 2, 8).senders, 2);
  EXPECT_EQ(between(grouped, 2, 8).receivers, 8);
  EXPECT_TRUE(between(grouped, 2, 8).reshards);
  EXPECT_FALSE(between(grouped, 4, 4).reshards);
  EXPECT_DOUBLE_EQ(between(grouped, 8, 16).copies, 2);  // two ranks keep each head
  EXPECT_EQ(between(grouped, 16, 2).senders, 8);        // of two ranks with the same head, one suffices
  EXPECT_EQ(between(grouped, 16, 16).senders, 16);
}

TEST(kv_transfer, latent_rows_go_to_every_rank) {
  const auto* latent = "deepseek-ai/DeepSeek-V3";
  EXPECT_DOUBLE_EQ(between(latent, 1, 8).copies, 8);
  EXPECT_EQ(between(latent, 1, 8).senders, 1);
  EXPECT_EQ(between(latent, 8, 8).senders, 8);
  EXPECT_EQ(between(latent, 8, 1).senders, 1);
  EXPECT_DOUBLE_EQ(between(latent, 8, 1).copies, 1);
}

TEST(kv_transfer, bytes_are_those_of_the_models_rows) {
  const auto llama = *model_named("meta-llama/Llama-3.1-70B");
  const auto bf16 = *number_format_named("bf16");
  const auto way = kv_transfer_of(llama, {.tensor = 2}, {.tensor = 8, .pipeline = 2});
  const auto d = disaggregation_of(llama, bf16, way, 50e9, 3);
  EXPECT_DOUBLE_EQ(d.bytes_of(1000), 1000 * 327'680.0);
  EXPECT_DOUBLE_EQ(d.link_bytes_per_s, 2 * 50e9);
  EXPECT_DOUBLE_EQ(d.receive_bytes_per_s, 3 * 16 * 50e9);
  // Half of the layers keep 128 tokens alone.
  const auto hybrid = *model_named("openai/gpt-oss-20b");
  const auto short_windows = disaggregation_of(hybrid, bf16, {}, 50e9, 1);
  EXPECT_DOUBLE_EQ(short_windows.bytes_of(10'000), 12 * 2048.0 * (10'000 + 128));
}

TEST(kv_transfer, links_have_names) {
  const accelerator a{.name = "A", .scale_up_bytes_per_s = 450e9, .host_bytes_per_s = 64e9},
      b{.name = "B", .scale_up_bytes_per_s = 0, .host_bytes_per_s = 32e9};
  EXPECT_DOUBLE_EQ(*link_bytes_per_s("12.5", a, b), 12.5e9);
  EXPECT_DOUBLE_EQ(*link_bytes_per_s("network", a, b), 50e9);
  EXPECT_DOUBLE_EQ(*link_bytes_per_s("host", a, b), 32e9);
  EXPECT_THAT(link_bytes_per_s("scale-up", a, b).why().message, HasSubstr("of B"));
  for (const auto* wrong : {"0", "-1", "nvlink?", "", "50GB"})
    EXPECT_FALSE(link_bytes_per_s(wrong, a, a)) << wrong;
}

cluster_settings one_and_one(double prefill_token_s, double link_bytes_per_s) {
  const auto pool = [](double step_s, double token_s, engine_role role) {
    engine_settings e{.role = role};
    e.blocks = 100'000;
    return replica_pool{
        .name = "pool", .engine = e, .timer = std::make_shared<linear_timer>(step_s, token_s, 1e-4, 1e-8)};
  };
  cluster_settings s;
  s.pools = {pool(0, prefill_token_s, engine_role::prefill), pool(0.01, 0, engine_role::decode)};
  s.disaggregated = disaggregation_settings{.kv_bytes_per_token = 1000, .link_bytes_per_s = link_bytes_per_s};
  return s;
}

cluster_run simulated(const cluster_settings& s, const workload& w) {
  auto run = simulate_cluster(s, w);
  EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.why().text());
  return run.ok() ? std::move(*run) : cluster_run{};
}

TEST(disaggregation, over_an_endless_link_is_the_sum_of_both_parts) {
  constexpr double endless = 1e30;
  const auto w =
      *generate_workload({.requests = 500, .rate = 5, .prompt = {.mean = 100}, .output = {.mean = 20}});
  const auto whole = simulated(one_and_one(1e-3, endless), w);
  // The first part: prompts alone. The second: their answers, which come when the prompts are done.
  auto prompts = w, answers = w;
  for (auto& r : prompts.requests) r.output_tokens = 1;
  const auto first = simulated(one_and_one(1e-3, endless), prompts);
  for (std::size_t i = 0; i < w.requests.size(); ++i)
    answers.requests[i].arrival_s = first.requests[i].first_token_s;
  const auto second = simulated(one_and_one(0, endless), answers);
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    EXPECT_NEAR(whole.requests[i].ttft_s(), first.requests[i].ttft_s(), 1e-9);
    EXPECT_NEAR(whole.requests[i].e2e_s(), first.requests[i].ttft_s() + second.requests[i].e2e_s(), 1e-9);
  }
}

TEST(disaggregation, the_receiving_side_is_shared) {
  auto s = one_and_one(1e-3, 1e6);
  s.pools[0].replicas = 2;
  workload w;
  w.requests = {{.arrival_s = 0, .prompt_tokens = 100, .output_tokens = 3},
                {.arrival_s = 0, .prompt_tokens = 100, .output_tokens = 3}};
  // Each prompt takes 0.1 s to compute and 0.1 s on its sender's link.
  EXPECT_NEAR(simulated(s, w).exposed_transfer_s, 0.2, 1e-9);
  s.disaggregated->receive_bytes_per_s = 1e6;
  EXPECT_NEAR(simulated(s, w).exposed_transfer_s, 0.1 + 0.2, 1e-9);
}

}  // namespace
}  // namespace ridge::plan::serve
