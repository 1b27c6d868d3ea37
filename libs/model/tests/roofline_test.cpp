// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/roofline.hpp>

#include <gtest/gtest.h>

#include <ridge/model/json.hpp>

namespace ridge::model {
namespace {

roofline example() {
  roofline_chart c{.backend = backend::cuda, .device = "GPU", .threads = 2};
  c.roofs = {{.id = "cuda.read",
              .level = "DRAM",
              .value = 1e12,
              .ci = {0.9e12, 1.1e12},
              .specified = 2e12,
              .label = "DRAM"},
             {.id = "cuda.mma.fp8",
              .kind = roof_kind::compute,
              .origin = roof_origin::specified,
              .dtype = "fp8",
              .units = "matrix",
              .value = 2e15,
              .clock_hz = 1.8e9,
              .shown = false}};
  c.ridges = {{"cuda.read", "cuda.mma.fp8", 2000}};
  c.points = {{.kernel = "k",
               .flop = 1,
               .measured_intensity = 0.5,
               .verdict = {.bound = bound::memory, .next = "L2"}}};
  c.sweeps = {{.level = "L1", .steps = {{.fma_per_element = 4, .share = 0.99, .at_knee = true}}}};
  return {.run = "R", .machine = "m", .started = "2026-11-21T00:00:00Z", .charts = {c}};
}

TEST(roofline_json, comes_back_as_it_went) {
  const auto text = roofline_json(example());
  EXPECT_NE(text.find("\"schema\": \"ridge.roofline/1\""), std::string::npos);
  const auto read = roofline_from_json(text);
  ASSERT_TRUE(read) << read.why().text();
  EXPECT_EQ(roofline_json(*read), text);
  const auto& c = read->charts.at(0);
  EXPECT_EQ(c.roofs.at(1).origin, roof_origin::specified);
  EXPECT_EQ(c.points.at(0).measured_intensity, 0.5);
  EXPECT_FALSE(c.points.at(0).measured_bytes);
  EXPECT_TRUE(c.sweeps.at(0).steps.at(0).at_knee);
}

TEST(roofline_json, names_the_place_of_what_it_refuses) {
  const auto read =
      roofline_from_json(R"({"schema": "ridge.roofline/1", "charts": [{"roofs": [{"kind": "ceiling"}]}]})");
  ASSERT_FALSE(read);
  EXPECT_NE(read.why().message.find("/charts/0/roofs/0/kind"), std::string::npos) << read.why().text();
}

}  // namespace
}  // namespace ridge::model
