// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/launches.hpp>

#include "fixtures/data.hpp"
#include "golden.hpp"

namespace ridge::trace {
namespace {

void expect_launches(const nlohmann::json& figures, const trace& t) {
  const auto& golden = figures.at("launch");
  const auto found = launches_of(t);
  // The golden figures join by the correlation in the args; where no event tells one, the file's arrows join
  // all.
  if (golden.at("correlated") == 0 && found.correlated > 0) {
    EXPECT_EQ(golden.at("uncorrelated"), found.correlated);
    EXPECT_EQ(found.uncorrelated, 0U);
    return;
  }
  EXPECT_EQ(golden.at("correlated"), found.correlated);
  EXPECT_EQ(golden.at("uncorrelated"), found.uncorrelated);
  if (found.correlated == 0) return;
  EXPECT_EQ(golden.at("short_kernels(gpu<cpu)"), found.shorter_than_call);
  EXPECT_EQ(golden.at("kern_lt_10us"), found.short_works);
  EXPECT_EQ(golden.at("cpu_dur_ns_p50"), found.call.p50_ns);
  EXPECT_EQ(golden.at("gpu_dur_ns_p50"), found.work.p50_ns);
  EXPECT_EQ(golden.at("launch_delay_end_ns_p50"), found.delay_after_end.p50_ns);
  EXPECT_EQ(golden.at("launch_delay_start_ns_p50"), found.delay_after_start.p50_ns);
}

TEST(launches_golden, equals_the_launches_of_every_trace) {
  constexpr auto golden = "traces/golden/timeline_exact_ns.json";
  if (fixtures::data_file(golden).empty()) GTEST_SKIP() << fixtures::no_data;
  EXPECT_GE(fixtures::for_each_golden(golden, "traces/", expect_launches), fixtures::traces_expected(18, 12));
}

TEST(launches_golden, equals_the_launches_of_the_labelled_traces) {
  constexpr auto golden = "traces/golden/labelled.json";
  if (fixtures::data_file(golden).empty()) GTEST_SKIP() << fixtures::no_data;
  EXPECT_EQ(fixtures::for_each_golden(golden, "traces/tracelens/labelled/", expect_launches), 17);
}

// Of kernels alone; joined by process and correlation, none begins before its call.
TEST(launches_golden, equals_the_kernels_of_nsight_systems) {
  constexpr auto golden = "traces/golden/nsys.json";
  if (fixtures::data_file(golden).empty()) GTEST_SKIP() << fixtures::no_data;
  const auto check = [](const nlohmann::json& figures, const trace& t) {
    const auto& launch = figures.at("launch");
    const auto found = launches_of(t, {}, {}, {.kernels_only = true});
    EXPECT_EQ(launch.at("correlated"), found.correlated);
    EXPECT_EQ(launch.at("uncorrelated"), found.uncorrelated);
    EXPECT_EQ(launch.at("kernel_before_launch"), found.before_launch);
    EXPECT_EQ(launch.at("kern_lt_10us"), found.short_of_all);
    EXPECT_EQ(launch.at("delay_from_api_end_p50"), found.delay_after_end.p50_ns);
    EXPECT_EQ(launch.at("p95"), found.delay_after_end.p95_ns);
  };
  EXPECT_EQ(fixtures::for_each_golden(golden, "traces/nsys/", check), fixtures::traces_expected(3, 2));
}

launch_report of_inference(const char* name) {
  const auto path = fixtures::data_file(std::string("traces/tracelens/inference/") + name);
  return path.empty() ? launch_report{} : launches_of(fixtures::opened(path));
}

// Counted by correlation in the files: one launch, many kernels.
TEST(launches_golden, finds_the_graphs_of_inference_traces) {
  const auto sglang = of_inference("sglang_Qwen3-8B_decode.json.gz");
  if (sglang.correlated == 0) GTEST_SKIP() << fixtures::no_data;
  ASSERT_EQ(sglang.graphs.size(), 1U);
  EXPECT_EQ(sglang.graphs.front().works, 544U);
  const auto vllm = of_inference("vllm_decode_graph_execution.json.gz");
  ASSERT_EQ(vllm.graphs.size(), 1U);
  EXPECT_EQ(vllm.graphs.front().works, 421U);
}

}  // namespace
}  // namespace ridge::trace
