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

void expect_nsys_percent(const json& figure, double found) {
  EXPECT_NEAR(figure.get<double>(), found, 0.5001e-4);
}

void expect_device(const json& figures, const device_partition& p) {
  EXPECT_EQ(figures.at("span_ns"), p.window.length_ns());
  EXPECT_EQ(figures.at("busy_ns"), p.busy_ns());
  EXPECT_EQ(figures.at("comm_ns"), p.communication_ns);
  expect_nsys_percent(figures.at("idle_pct"), p.percent(p.idle_ns));
  expect_nsys_percent(figures.at("comp_pct"), p.percent(p.compute_ns));
  expect_nsys_percent(figures.at("exposed_comm_pct"), p.percent(p.exposed_communication_ns));
  expect_nsys_percent(figures.at("exposed_copy_pct"), p.percent(p.exposed_copy_ns));
  ASSERT_EQ(figures.at("overlap_pct").is_null(), !p.overlap_percent());
  if (p.overlap_percent()) expect_nsys_percent(figures.at("overlap_pct"), *p.overlap_percent());
}

TEST(partition_golden, equals_the_exact_timeline_of_nsight_systems_exports) {
  const auto path = fixtures::data_file("traces/golden/nsys.json");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto all = json::parse(std::ifstream(path));
  int compared = 0;
  for (const auto& [name, figures] : all.items()) {
    SCOPED_TRACE(name);
    const auto file = fixtures::data_file("traces/nsys/" + name);
    if (file.empty()) continue;
    ++compared;
    const auto t = golden::read_trace(file);
    const auto found = partition_devices(t, classes_of(t, communication_names::built_in()));
    ASSERT_EQ(figures.at("devices").size(), found.size());
    for (const auto& p : found) expect_device(figures.at("devices").at(std::to_string(p.device)), p);
  }
  EXPECT_EQ(compared, fixtures::traces_expected(3, 2));
}

}  // namespace
}  // namespace ridge::trace
