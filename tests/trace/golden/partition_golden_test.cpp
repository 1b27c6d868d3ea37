// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/device_partition.hpp>

#include "fixtures/data.hpp"
#include "read_trace.hpp"

namespace ridge::trace {
namespace {

using json = nlohmann::json;

// The golden figures know these three names alone.
communication_names golden_names() {
  return {{{"nccl", "NCCL"}, {"rccl", "RCCL"}, {"cross_device_reduce", "custom all-reduce"}}};
}

void expect_percent(const json& figure, double found, const char* label) {
  EXPECT_NEAR(figure.get<double>(), found, 0.5001e-4) << label;
}

void expect_partition(const json& figures, const device_partition& found) {
  EXPECT_EQ(figures.at("n_gpu_events"), found.works);
  EXPECT_EQ(figures.at("span_ns"), found.window.length_ns());
  EXPECT_EQ(figures.at("busy_ns"), found.busy_ns());
  EXPECT_EQ(figures.at("idle_ns"), found.idle_ns);
  EXPECT_EQ(figures.at("comp_ns"), found.compute_ns);
  EXPECT_EQ(figures.at("comm_total_ns"), found.communication_ns);
  EXPECT_EQ(figures.at("exposed_comm_ns"), found.exposed_communication_ns);
  EXPECT_EQ(figures.at("memcpy_total_ns"), found.copy_ns);
  EXPECT_EQ(figures.at("exposed_memcpy_ns"), found.exposed_copy_ns);
  ASSERT_EQ(figures.at("comm_comp_overlap_pct").is_null(), !found.overlap_percent());
  if (found.overlap_percent())
    expect_percent(figures.at("comm_comp_overlap_pct"), *found.overlap_percent(), "overlap");
  const auto& percent = figures.at("pct");
  expect_percent(percent.at("comp"), found.percent(found.compute_ns), "compute");
  expect_percent(percent.at("expcomm"), found.percent(found.exposed_communication_ns), "communication");
  expect_percent(percent.at("expmem"), found.percent(found.exposed_copy_ns), "copies");
  expect_percent(percent.at("idle"), found.percent(found.idle_ns), "idle");
}

void expect_trace(const json& figures, const trace& t) {
  const auto found = partition_devices(t, classes_of(t, golden_names()));
  ASSERT_EQ(figures.at("devices").size(), found.size());
  for (const auto& p : found) {
    SCOPED_TRACE("device " + std::to_string(p.device));
    expect_partition(figures.at("devices").at(std::to_string(p.device)), p);
  }
}

// Every trace of a golden file that is there; how many were.
int expect_all(const std::string& goldens, const std::string& folder) {
  const auto all = json::parse(std::ifstream(fixtures::data_file(goldens)));
  int compared = 0;
  for (const auto& [name, of_trace] : all.items()) {
    const auto path = fixtures::data_file(folder + name);
    if (path.empty()) continue;
    SCOPED_TRACE(name);
    expect_trace(of_trace, golden::read_trace(path));
    ++compared;
  }
  return compared;
}

TEST(partition_golden, equals_the_exact_timeline_of_every_trace_to_the_nanosecond) {
  const std::string goldens = "traces/golden/timeline_exact_ns.json";
  if (fixtures::data_file(goldens).empty()) GTEST_SKIP() << fixtures::no_data;
  EXPECT_GE(expect_all(goldens, "traces/"), fixtures::traces_expected(18, 12));
}

TEST(partition_golden, equals_the_labelled_traces_to_the_nanosecond) {
  const std::string goldens = "traces/golden/labelled.json";
  if (fixtures::data_file(goldens).empty()) GTEST_SKIP() << fixtures::no_data;
  EXPECT_EQ(expect_all(goldens, "traces/tracelens/labelled/"), 17);
}

device_partition of_malformed(const char* name) {
  const auto path = fixtures::data_file(std::string("traces/malformed/") + name);
  if (path.empty()) return {};
  const auto t = golden::read_trace(path);
  return partition_devices(t, classes_of(t, golden_names())).front();
}

TEST(partition_golden, says_busy_time_with_and_without_durations_that_cannot_be_true) {
  const auto p = of_malformed("dur_overflow_same_stream.json");
  if (p.works == 0) GTEST_SKIP() << fixtures::no_data;
  EXPECT_EQ(p.busy_ns(), 1'600'000'000);  // the union of what is recorded
  EXPECT_EQ(p.clipped_busy_ns, 900'000);
}

TEST(partition_golden, keeps_overlap_that_programmatic_launches_make) {
  const auto p = of_malformed("pdl_overlap.json");
  if (p.works == 0) GTEST_SKIP() << fixtures::no_data;
  EXPECT_EQ(p.compute_ns, 1'020'000);  // 1,200,000 in sum
  EXPECT_FALSE(p.clipped_busy_ns);
}

}  // namespace
}  // namespace ridge::trace
