// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/interference.hpp>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using words = std::vector<std::string>;

TEST(interference, an_undisturbed_block_is_clean) {
  const interference quiet{.wall_s = 1e-3, .cpu_over_wall = 0.995};
  EXPECT_TRUE(quiet.clean());
  EXPECT_TRUE(quiet.flags().empty());
}

TEST(interference, every_cause_is_named_alone) {
  const std::pair<interference, std::string> cases[] = {
      {{.cpu_over_wall = 0.88}, "12 % of the time not running"},
      {{.involuntary_switches = 1}, "1 involuntary switch"},
      {{.voluntary_switches = 3}, "3 voluntary switches"},
      {{.steal_s = 0.01}, "10 ms stolen by the hypervisor"},
      {{.throttled_periods = 2}, "2 periods throttled by the control group"},
      {{.minor_faults = 1}, "1 page fault"},
      {{.major_faults = 4}, "4 page faults from disk"},
      {{.migrated = true}, "moved to another CPU"},
  };
  for (const auto& [seen, flag] : cases) {
    EXPECT_EQ(seen.flags(), words{flag});
    EXPECT_FALSE(seen.clean()) << flag;
  }
}

TEST(interference, wider_bounds_let_pass) {
  const interference seen{.cpu_over_wall = 0.5, .voluntary_switches = 10, .minor_faults = 100};
  const interference_bounds wide{
      .least_cpu_over_wall = 0, .most_voluntary_switches = 10, .most_minor_faults = 99};
  EXPECT_EQ(seen.flags(wide), words{"100 page faults"});
  EXPECT_FALSE(seen.clean(wide));
}

}  // namespace
}  // namespace ridge::measure
