// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/serve/measured_run.hpp>
#include <ridge/plan/serve/run_files.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "linear_timer.hpp"

namespace ridge::plan::serve {
namespace {

using testing::HasSubstr;

constexpr auto log_lines =
    R"({"request_id": "b", "input_toks": 20, "output_toks": 3, "arrival_time": 2.5, "queued_ts": 11.0, "scheduled_ts": 11.1, "first_token_ts": 11.5, "last_token_ts": 11.9})"
    "\n"
    R"({"request_id": "a", "input_toks": 10, "output_toks": 2, "arrival_time": 2.0, "queued_ts": 10.0, "scheduled_ts": 10.1, "first_token_ts": 10.25, "last_token_ts": 10.75})"
    "\n";

served_request simulated(std::uint32_t prompt, std::uint32_t output, double ttft_s, double e2e_s) {
  served_request r{.arrival_s = 0, .first_token_s = ttft_s, .last_token_s = e2e_s};
  r.prompt_tokens = prompt, r.output_tokens = output, r.ended = outcome::finished;
  return r;
}

TEST(MeasuredRun, ComparesRequestByRequestInOrderOfArrival) {
  const auto measured = parse_measured_run(log_lines, "log");
  ASSERT_TRUE(measured.ok()) << measured.why().text();
  EXPECT_EQ((*measured)[0].id, "a");
  EXPECT_DOUBLE_EQ((*measured)[0].ttft_s, 0.25);
  EXPECT_NEAR((*measured)[1].e2e_s, 0.9, 1e-12);
  const auto c = compare_with(*measured, {simulated(10, 2, 0.3, 0.7), simulated(20, 3, 0.6, 1.1)});
  ASSERT_TRUE(c.ok()) << c.why().text();
  EXPECT_EQ(c->requests, 2U);
  EXPECT_NEAR(c->lines[0].mean_error, 0.45 / 0.375 - 1, 1e-12);
  EXPECT_NEAR(c->lines[1].measured_mean_s, (0.5 + 0.2) / 2, 1e-12);
  EXPECT_NEAR(c->lines[0].correlation, 1, 1e-12);
}

// Requests sent 2 ms apart are queued in another order.
TEST(MeasuredRun, ABurstIsMatchedByLengths) {
  const auto measured = *parse_measured_run(log_lines, "log");  // 10 + 2, then 20 + 3
  const auto c = compare_with(measured, {simulated(20, 3, 0.6, 1.1), simulated(10, 2, 0.3, 0.7)});
  ASSERT_TRUE(c.ok()) << c.why().text();
  EXPECT_EQ(c->requests, 2U);
  EXPECT_NEAR(c->lines[0].correlation, 1, 1e-12);
  EXPECT_THAT(compare_with(measured, {simulated(20, 3, 1, 1), simulated(20, 3, 1, 1)}).why().message,
              HasSubstr("10 + 2 tokens"));
}

TEST(MeasuredRun, RefusesAnotherTrace) {
  const auto measured = *parse_measured_run(log_lines, "log");
  EXPECT_THAT(compare_with(measured, {simulated(10, 2, 1, 1)}).why().message, HasSubstr("has 2 requests"));
  EXPECT_THAT(compare_with(measured, {simulated(10, 2, 1, 1), simulated(20, 4, 1, 1)}).why().message,
              HasSubstr("20 + 3 tokens, and no request that was simulated has these lengths"));
  EXPECT_THAT(parse_measured_run("{\"a\": 1}\n", "log").why().message, HasSubstr("log:1"));
  EXPECT_THAT(parse_measured_run("", "log").why().message, HasSubstr("empty"));
}

TEST(MeasuredRun, ReadsVllmBenchAndAiperf) {
  const auto bench = parse_measured_run(
      R"({"input_lens": [5, 6], "output_lens": [3, 1], "ttfts": [0.1, 0.2], "itls": [[0.05, 0.07], []], "start_times": [2, 1]})",
      "b");
  ASSERT_TRUE(bench.ok()) << bench.why().text();
  EXPECT_EQ((*bench)[0].prompt_tokens, 6);
  EXPECT_NEAR((*bench)[1].e2e_s, 0.22, 1e-12);
  const auto aiperf = parse_measured_run(
      R"({"metadata": {"request_start_ns": 1000000000}, "metrics": {"input_sequence_length": {"value": 5},)"
      R"( "output_sequence_length": {"value": 2}, "time_to_first_token": {"value": 18.5, "unit": "ms"},)"
      R"( "request_latency": {"value": 114.5, "unit": "ms"}}})",
      "a");
  ASSERT_TRUE(aiperf.ok()) << aiperf.why().text();
  EXPECT_NEAR((*aiperf)[0].ttft_s, 0.0185, 1e-12);
  EXPECT_NEAR((*aiperf)[0].e2e_s, 0.1145, 1e-12);
}

TEST(RunFiles, TheTraceHoldsEveryStepAndRequest) {
  const auto w =
      *generate_workload({.requests = 50, .rate = 5, .prompt = {.mean = 100}, .output = {.mean = 20}});
  cluster_settings s;
  auto& pool = s.pools.emplace_back();
  pool.name = "p";
  pool.replicas = 2;
  pool.engine.blocks = 1000;
  pool.timer = std::make_shared<linear_timer>(0.01, 1e-4, 1e-4, 0);
  s.record_steps = true;
  const auto run = *simulate_cluster(s, w);
  std::string text;
  write_chrome_trace(run, [&](std::string_view piece) { text += piece; });
  const auto trace = nlohmann::json::parse(text);
  double busy_us = 0;
  std::int64_t steps = 0, decoded = 0, begun = 0, ended = 0;
  for (const auto& e : trace.at("traceEvents")) {
    const auto kind = e.at("ph").get<std::string>();
    begun += kind == "b" ? 1 : 0, ended += kind == "e" ? 1 : 0;
    if (kind != "X") continue;
    busy_us += e.at("dur").get<double>();
    steps += e.at("args").at("steps").get<std::int64_t>();
    decoded += e.at("args").at("decode_tokens").get<std::int64_t>();
  }
  EXPECT_EQ(steps, run.replicas[0].steps + run.replicas[1].steps);
  EXPECT_NEAR(busy_us, 1e6 * (run.replicas[0].busy_s + run.replicas[1].busy_s), 1);
  EXPECT_EQ(decoded, 50 * 19);
  EXPECT_EQ(begun, 100);
  EXPECT_EQ(begun, ended);
  std::string csv;
  write_requests_csv(run, w, [&](std::string_view piece) { csv += piece; });
  EXPECT_EQ(std::ranges::count(csv, '\n'), 51);
}

}  // namespace
}  // namespace ridge::plan::serve
