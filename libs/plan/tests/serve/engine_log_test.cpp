// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/engine_log.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <ridge/plan/kernels/layer_profile.hpp>

#include "../measured_data.hpp"
#include "engine_fixture.hpp"

namespace ridge::plan::serve {
namespace {

constexpr auto settings_text =
    R"({"vllm_version": "0.19.0", "model": "a/b", "engine_kwargs": {"tensor_parallel_size": 1},
  "kv_cache": {"num_gpu_blocks": 11, "block_size": 2, "enable_prefix_caching": true},
  "resolved_config": {"scheduler_config": {"async_scheduling": true, "max_num_seqs": 7, "max_num_batched_tokens": 9,
    "enable_chunked_prefill": true, "long_prefill_token_threshold": 0, "policy": "fcfs", "scheduler_reserve_full_isl": true},
    "compilation_config": {"cudagraph_capture_sizes": [4, 2, 1]}}})";

class engine_log_file : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder);
    write("meta.json", settings_text);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream{folder / name} << text; }
  [[nodiscard]] result<engine_log> read(const std::string& tokens = "") const {
    return read_engine_log({.requests = folder / "requests.jsonl",
                            .settings = {},
                            .tokens = tokens.empty() ? std::filesystem::path{} : folder / tokens,
                            .blocks = 0});
  }

  std::filesystem::path folder{std::filesystem::temp_directory_path() /
                               ("ridge_engine_log_" + std::to_string(getpid()))};
};

constexpr auto two_requests =
    R"({"input_toks": 4, "output_toks": 2, "arrival_time": 100.5, "queued_ts": 7, "first_token_ts": 9, "last_token_ts": 10}
{"input_toks": 5, "output_toks": 1, "arrival_time": 100, "queued_ts": 7, "first_token_ts": 8, "last_token_ts": 8}
)";

TEST_F(engine_log_file, settings_are_those_of_the_run) {
  write("requests.jsonl", two_requests);
  const auto log = read();
  ASSERT_TRUE(log.ok()) << log.why().text();
  EXPECT_EQ(log->settings.blocks, 10U);  // vLLM reserves one of its blocks
  EXPECT_EQ(log->settings.block_size, 2U);
  EXPECT_EQ(log->settings.max_sequences, 7U);
  EXPECT_EQ(log->settings.max_batched_tokens, 9U);
  EXPECT_TRUE(log->settings.async_scheduling);
  EXPECT_THAT(log->settings.cuda_graph_sizes, testing::ElementsAre(1U, 2U, 4U));
  EXPECT_EQ(log->requests.arrival_s(0), 0.5);
  EXPECT_EQ(log->measured[0].ttft_s(), 2);
  EXPECT_EQ(log->measured[0].tpot_s(), 1);
  EXPECT_EQ(log->measured[1].tpot_s(), 0);
  EXPECT_THAT(log->doubts, testing::ElementsAre(testing::HasSubstr("token ids")));
}

TEST_F(engine_log_file, settings_that_are_not_given_are_doubts) {
  write("requests.jsonl", two_requests);
  write("meta.json", R"({"kv_cache": {"num_gpu_blocks": 11}})");
  const auto log = read();
  ASSERT_TRUE(log.ok());
  EXPECT_THAT(log->doubts, testing::Contains(testing::HasSubstr("async_scheduling")));
  write("meta.json", "{}");
  EXPECT_THAT(read().why().message, testing::HasSubstr("num_gpu_blocks"));
}

TEST_F(engine_log_file, prompts_that_begin_alike_share_blocks) {
  write("requests.jsonl", two_requests);
  write("tokens.jsonl", "{\"input_tok_ids\": [1, 2, 3, 4]}\n{\"input_tok_ids\": [1, 2, 3, 9, 9]}\n");
  const auto log = read("tokens.jsonl");
  ASSERT_TRUE(log.ok()) << log.why().text();
  const auto a = log->requests.prefix(0);
  const auto b = log->requests.prefix(1);
  ASSERT_EQ(a.size(), 2U);
  ASSERT_EQ(b.size(), 2U);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);
}

TEST_F(engine_log_file, errors_name_file_and_line) {
  EXPECT_THAT(read().why().message, testing::HasSubstr("requests.jsonl"));
  write("requests.jsonl", std::string{two_requests} + "{\"input_toks\": 3}\n");
  EXPECT_THAT(read().why().message,
              testing::AllOf(testing::HasSubstr(":3"), testing::HasSubstr("output_toks")));
  write("requests.jsonl", "[]\n");
  EXPECT_THAT(read().why().message, testing::HasSubstr(":1"));
  write("requests.jsonl", "");
  EXPECT_THAT(read().why().message, testing::HasSubstr("no requests"));
  write("requests.jsonl", two_requests);
  write("tokens.jsonl", "{\"input_tok_ids\": [1, 2, 3, 4]}\n{\"input_tok_ids\": [1]}\n");
  EXPECT_THAT(read("tokens.jsonl").why().message, testing::HasSubstr("request 1"));
}

// A simulated run, written as a log, is reproduced exactly.
TEST_F(engine_log_file, the_twin_of_a_twin_is_the_same) {
  write("requests.jsonl", two_requests);
  auto log = read();
  ASSERT_TRUE(log.ok());
  const bent_timer timer;
  const auto first = compare_with_log(*log, timer);
  ASSERT_TRUE(first.ok()) << first.why().text();
  log->measured = first->simulated;
  const auto second = compare_with_log(*log, timer);
  ASSERT_TRUE(second.ok());
  for (const auto& m : second->metrics) {
    EXPECT_EQ(m.relative_error(), 0) << m.name;
  }
  EXPECT_NEAR(second->latency_correlation, 1, 1e-12);
  EXPECT_EQ(second->metrics.front().name, "ttft_mean");
  EXPECT_NE(find(second->derivation, "latency_mean_s"), nullptr);
}

TEST_F(engine_log_file, blocks_that_are_given_mend_settings_without_them) {
  write("requests.jsonl", two_requests);
  write("meta.json", R"({"model": "a/b", "kv_cache": {"block_size": 2}})");
  EXPECT_THAT(read().why().message, testing::HasSubstr("num_gpu_blocks"));
  const auto log =
      read_engine_log({.requests = folder / "requests.jsonl", .settings = {}, .tokens = {}, .blocks = 12});
  ASSERT_TRUE(log.ok()) << log.why().text();
  EXPECT_EQ(log->settings.blocks, 12U);
  EXPECT_EQ(log->data_parallel, 1);
}

// Two engines of one sequence each serve two requests at a time; one engine serves them one by one.
TEST_F(engine_log_file, data_parallel_engines_share_the_requests) {
  write(
      "requests.jsonl",
      R"({"input_toks": 4, "output_toks": 3, "arrival_time": 0, "queued_ts": 7, "first_token_ts": 9, "last_token_ts": 10}
{"input_toks": 4, "output_toks": 3, "arrival_time": 0, "queued_ts": 7, "first_token_ts": 9, "last_token_ts": 10}
)");
  auto text = std::string(settings_text);
  text.replace(text.find("\"max_num_seqs\": 7"), 17, "\"max_num_seqs\": 1");
  write("meta.json", text);
  const auto one = compare_with_log(*read(), bent_timer{});
  ASSERT_TRUE(one.ok());
  EXPECT_GT(one->simulated[1].first_token_s, one->simulated[0].first_token_s);
  text.replace(text.find("\"tensor_parallel_size\": 1"), 25,
               "\"tensor_parallel_size\": 1, \"data_parallel_size\": 2, \"enable_expert_parallel\": true");
  write("meta.json", text);
  const auto log = read();
  ASSERT_TRUE(log.ok()) << log.why().text();
  EXPECT_EQ(log->data_parallel, 2);
  EXPECT_TRUE(log->expert_parallel);
  const auto two = compare_with_log(*log, bent_timer{});
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->simulated[1].first_token_s, two->simulated[0].first_token_s);
}

TEST_F(engine_log_file, a_request_that_cannot_have_run_is_an_error) {
  write("requests.jsonl",
        R"({"input_toks": 40, "output_toks": 2, "queued_ts": 7, "first_token_ts": 9, "last_token_ts": 10})");
  const auto log = read();
  ASSERT_TRUE(log.ok());
  EXPECT_THAT(compare_with_log(*log, bent_timer{}).why().message, testing::HasSubstr("10 blocks"));
}

const twin_metric& metric(const twin_accuracy& accuracy, const std::string& name) {
  return *std::ranges::find(accuracy.metrics, name, &twin_metric::name);
}

// vLLM 0.19, Llama-3.1-8B on an RTX 4090, 300 requests at 10 a second; layers measured apart; nothing fitted.
TEST(engine_log, the_twin_meets_a_real_engine) {
  const auto folder = measured_data("serving/vllm_rtx4090");
  if (folder.empty()) {
    GTEST_SKIP() << "no log of an engine: set RIDGE_DATA to the folder that holds serving/vllm_rtx4090";
  }
  const auto log = read_engine_log(
      {.requests = folder / "Llama-3.1-8B" / "vllm" / "requests.jsonl",
       .settings = {},
       .tokens = measured_data("serving/vllm_rtx4090/sharegpt-llama-3.1-8b-300-sps10.jsonl")});
  ASSERT_TRUE(log.ok()) << log.why().text();
  EXPECT_TRUE(log->doubts.empty());
  EXPECT_EQ(log->settings.blocks, 2587U);
  const auto profile = kernels::find_layer_profile(folder / "profile", log->tensor_parallel);
  ASSERT_TRUE(profile.ok()) << profile.why().text();
  const auto timer = kernels::read_layer_profile(*profile, {.layers = 32});
  ASSERT_TRUE(timer.ok()) << timer.why().text();
  const auto twin = compare_with_log(*log, **timer);
  ASSERT_TRUE(twin.ok()) << twin.why().text();
  EXPECT_LT(std::abs(metric(*twin, "ttft_mean").relative_error()), 0.02);
  EXPECT_LT(std::abs(metric(*twin, "tpot_mean").relative_error()), 0.015);
  EXPECT_LT(std::abs(metric(*twin, "latency_mean").relative_error()), 0.02);
  EXPECT_LT(std::abs(metric(*twin, "latency_p99").relative_error()), 0.02);
  EXPECT_GT(twin->latency_correlation, 0.999);
  EXPECT_GT(twin->ttft_correlation, 0.999);
  EXPECT_GT(twin->preemptions, 100U);
}

}  // namespace
}  // namespace ridge::plan::serve
