// SPDX-License-Identifier: Apache-2.0
#include "cheats.hpp"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>
#include <ridge/device/host_options.hpp>
#include <ridge/harness/runner.hpp>

namespace ridge::backends::device_host {
std::unique_ptr<device::device> make(device::host_options how);
}  // namespace ridge::backends::device_host

namespace ridge::cheats {
namespace {

device::device& host() {
  static const auto device = backends::device_host::make({});
  return *device;
}

model::family run(const experiment& e) {
  harness::run_options options;
  options.profile.budget_per_arm_s = 0.02;
  options.protocol.warm_up_max_s = 0.02;
  harness::instruments with;
  with.device = &host();
  return harness::measure_family_in_child({e, e.problems().front(), model::backend::cpu}, with, options);
}

// What the harness has against a variant: why it was refused, else every check that did not pass.
std::string objections(const model::family& f, const std::string& variant) {
  for (const auto& m : f.measurements) {
    if (m.variant == variant && !m.refused.empty()) return m.refused;
  }
  std::string all;
  for (const auto& c : f.comparisons) {
    if (c.candidate != variant || c.reference == variant) continue;
    for (const auto& check : c.checks) {
      const bool against = check.id == "timed_results" || check.id == "audit";
      if (against && check.result != model::outcome::pass && check.result != model::outcome::skipped) {
        all += check.evidence + "; ";
      }
    }
  }
  return all;
}

bool refused(const model::family& f) {
  return std::ranges::any_of(f.measurements,
                             [](const auto& m) { return m.variant == "cheat" && !m.refused.empty(); });
}

bool invalid(const model::family& f) {
  return std::ranges::any_of(f.comparisons, [](const auto& c) {
    return c.candidate == "cheat" && c.verdict == model::verdict::invalid;
  });
}

class cheating : public testing::TestWithParam<cheat> {};

TEST_P(cheating, is_refused_for_the_right_reason) {
  const auto f = run(GetParam().experiment);
  const auto why = objections(f, "cheat");
  const bool untimed = refused(f), voided = invalid(f);
  EXPECT_TRUE(untimed || GetParam().shows != shows::in_one_call) << "it was timed";
  EXPECT_TRUE(untimed || voided || GetParam().shows == shows::by_watching) << "it was believed";
  EXPECT_TRUE(
      std::ranges::any_of(GetParam().reasons, [&](const auto& word) { return why.find(word) != why.npos; }))
      << "the harness says: \"" << why << "\"";
  EXPECT_EQ(objections(f, "honest"), "");
}

std::string name_of(const testing::TestParamInfo<cheat>& info) { return info.param.experiment->title; }

INSTANTIATE_TEST_SUITE_P(all, cheating, testing::ValuesIn(all()), name_of);

TEST(cheats, leave_the_honest_alone) {
  const auto f = run(question("none", honest_and<honest>));
  EXPECT_EQ(objections(f, "honest"), "");
  EXPECT_EQ(objections(f, "cheat"), "");
  ASSERT_FALSE(f.comparisons.empty());
  EXPECT_NE(f.comparisons.front().verdict, model::verdict::invalid);
}

}  // namespace
}  // namespace ridge::cheats
