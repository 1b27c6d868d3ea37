// SPDX-License-Identifier: Apache-2.0
#include "disturbances.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/report/render.hpp>

namespace ridge::report {
namespace {

model::family disturbed_family(model::disturbance seen) { return {.rounds = 80, .disturbance = seen}; }

TEST(disturbances, a_quiet_run_has_none) {
  EXPECT_TRUE(disturbances({}).empty());
  EXPECT_TRUE(
      disturbances({.families = {disturbed_family({.disturbed_rounds = 8, .involuntary_switches = 9})}})
          .empty());
}

TEST(disturbances, each_kind_has_one_line_over_all_families) {
  const auto busy = disturbed_family({61, 1.5, 700, 4});
  const auto lines = disturbances({.families = {busy, busy}});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0].seen, testing::StartsWith("steal: the hypervisor gave 3.00 s"));
  EXPECT_THAT(lines[1].seen, testing::HasSubstr("other programs took the CPU 1400 times"));
  EXPECT_THAT(lines[1].remedy, testing::StartsWith("close them"));
  EXPECT_EQ(lines[2].seen, "CPU quota: the container was stopped in 8 periods; disturbed rounds: 122 of 160");
}

TEST(disturbances, a_clock_held_down_and_ceilings_in_doubt_are_told) {
  model::family f{
      .measurements = {{.ceiling = "cpu.triad, 1 thread", .ceiling_disturbed = "6 of 18 readings"}},
      .checks = {{.id = "clocks", .result = model::outcome::warn, .evidence = "1.2 GHz"}}};
  const auto text = console_summary({.families = {f}}, {});
  EXPECT_THAT(text, testing::HasSubstr("clocks: the GPU's clock was held down, 1.2 GHz"));
  EXPECT_THAT(text, testing::HasSubstr("1 variant is in doubt (cpu.triad, 1 thread: 6 of 18 readings)"));
  EXPECT_THAT(text, testing::HasSubstr("`ridge peak`"));
}

}  // namespace
}  // namespace ridge::report
