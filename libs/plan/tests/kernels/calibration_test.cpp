// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/calibration.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/kernels/efficiency.hpp>

#include "small_machine.hpp"

namespace ridge::plan::kernels {
namespace {

using ::testing::HasSubstr;

// Prompts that for a while arrive faster than they are answered, so that there are steps of many kinds.
serve::engine_log made_log(int requests) {
  serve::engine_log log;
  log.settings.max_batched_tokens = 2048;
  log.settings.max_sequences = 128;
  log.settings.blocks = 20000;
  log.settings.prefix_caching = false;
  for (int i = 0; i < requests; ++i) {
    serve::request r;
    r.arrival_s = 0.25 * i + 0.15 * (i % 3);
    r.input_tokens = static_cast<std::uint32_t>(200 + 397 * (i % 7));
    r.output_tokens = static_cast<std::uint32_t>(60 + 53 * (i % 5));
    log.requests.add(r);
  }
  return log;
}

TEST(calibration, recovers_the_constants_of_a_log_that_the_simulator_made) {
  const efficiency_catalogue none;
  const auto times = analytic_times(test::machine(), none);
  auto of = test::request();
  of.model.order.assign(100, 0);  // weights that take two milliseconds to read, as the host does
  of.max_batched_tokens = 2048, of.max_sequences = 128, of.max_context = 8192;
  auto truth = of;
  truth.engine.step_s = 2.5e-3;
  truth.scaling.bandwidth = 0.8;
  truth.scaling.flop = 0.7;
  auto log = made_log(120);
  const auto timer = make_step_timer(truth, *times);
  ASSERT_TRUE(timer.ok());
  log.measured.resize(log.requests.size());
  const auto run = compare_with_log(log, **timer);
  ASSERT_TRUE(run.ok()) << run.why().text();
  log.measured = run->simulated;
  for (auto& m : log.measured) m.first_token_s += 0.02, m.last_token_s += 0.02;

  const auto p = calibrate(log, of, *times);
  ASSERT_TRUE(p.ok()) << p.why().text();
  EXPECT_GT(p->holdout_before.latency_median, 0.1);
  EXPECT_LT(p->holdout_after.latency_median, 0.02);
  EXPECT_LT(p->holdout_after.tpot_median, 0.02);
  EXPECT_NEAR(p->overheads.step_s, 2.5e-3, 0.5e-3);
  EXPECT_NEAR(p->overheads.request_s, 0.02, 0.005);
  EXPECT_NEAR(p->scaling.bandwidth, 0.8, 0.06);
  EXPECT_NEAR(p->scaling.flop, 0.7, 0.06);
}

TEST(calibration, refuses_a_log_of_a_few_requests) {
  const efficiency_catalogue none;
  auto log = made_log(5);
  log.measured.resize(5);
  const auto p = calibrate(log, test::request(), *analytic_times(test::machine(), none));
  ASSERT_FALSE(p.ok());
  EXPECT_THAT(p.why().message, HasSubstr("5 requests"));
}

TEST(calibration_profile, survives_being_written_and_read) {
  calibration_profile p;
  p.model = "m", p.gpu = "g", p.log = "log.jsonl", p.created = "2026-01-02";
  p.overheads.step_s = 1.25e-3, p.overheads.request_s = 0.5;
  p.scaling = {0.75, 0.5, 2e-6};
  p.holdout_after = {0.1, 0.2, 0.3, 17};
  const auto back = parse_profile(profile_json(p), "p.json");
  ASSERT_TRUE(back.ok()) << back.why().text();
  EXPECT_EQ(back->overheads.step_s, 1.25e-3);
  EXPECT_EQ(back->scaling.flop, 0.5);
  EXPECT_EQ(back->scaling.collective_floor_s, 2e-6);
  EXPECT_EQ(back->holdout_after.requests, 17);
  step_request r;
  apply(*back, r);
  EXPECT_EQ(r.scaling.bandwidth, 0.75);
  EXPECT_EQ(r.engine.request_s, 0.5);
}

TEST(calibration_profile, names_file_and_member_of_what_is_wrong) {
  const std::string head = R"({"schema": "ridge.plan.profile/1", "model": "m", "gpu": "g", )";
  EXPECT_THAT(parse_profile(head + R"("scaling": {"flop_scale": -2}})", "p.json").why().message,
              HasSubstr("p.json: /scaling/flop_scale: -2 is not between"));
  EXPECT_THAT(parse_profile(R"({"schema": "ridge.plan.serve/1"})", "p.json").why().message,
              HasSubstr("/schema"));
  EXPECT_THAT(parse_profile("{", "p.json").why().message, HasSubstr("p.json: no JSON"));
  EXPECT_THAT(load_profile("/nowhere/p.json").why().message, HasSubstr("/nowhere/p.json"));
}

TEST(bench_log, reads_what_vllm_bench_serve_saves) {
  const auto log = parse_bench_log(R"({"model_id": "m", "input_lens": [100, 50, 7], "output_lens": [3, 1, 0],
      "ttfts": [0.5, 0.25, 0], "itls": [[0.1, 0.2], [], []], "start_times": [10.0, 11.5, 12]})",
                                   "b.json");
  ASSERT_TRUE(log.ok()) << log.why().text();
  ASSERT_EQ(log->requests.size(), 2U);  // the third failed
  EXPECT_DOUBLE_EQ(log->requests.arrival_s(1), 1.5);
  EXPECT_DOUBLE_EQ(log->measured[0].ttft_s(), 0.5);
  EXPECT_NEAR(log->measured[0].tpot_s(), 0.15, 1e-12);
  EXPECT_EQ(log->doubts.size(), 1U);
}

TEST(bench_log, says_what_is_missing) {
  EXPECT_THAT(
      parse_bench_log(R"({"input_lens": [1], "output_lens": [1], "ttfts": [1], "itls": [[]]})", "b.json")
          .why()
          .message,
      HasSubstr("b.json: /start_times"));
  EXPECT_THAT(parse_bench_log(R"({"input_lens": [1], "output_lens": [1, 2]})", "b.json").why().message,
              HasSubstr("2 entries"));
  EXPECT_FALSE(parse_bench_log("[", "b.json").ok());
}

}  // namespace
}  // namespace ridge::plan::kernels
