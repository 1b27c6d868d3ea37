// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/scaling_check.hpp>

#include <gtest/gtest.h>

#include "doubling.hpp"

namespace ridge::harness {
namespace {

constexpr std::int64_t small_size = 1 << 16, large_size = 1 << 20;

// A family of `size` elements in which the baseline takes 1 ns of each and the candidate as long as is said.
model::family sized_family(std::int64_t size, double candidate_s) {
  const auto timed = [](const char* variant, double seconds) {
    return model::measurement{.variant = variant, .metrics = {{.median = seconds, .ci = {seconds, seconds}}}};
  };
  const auto elements = static_cast<double>(size);
  return {.experiment = "test.scaling",
          .problem = {{"elements", size}, {"kind", std::string("dense")}},
          .bytes_read = 4 * elements,
          .measurements = {timed("baseline", 1e-9 * elements), timed("candidate", candidate_s)},
          .comparisons = {{.reference = "baseline", .candidate = "candidate", .assurance = 2}}};
}

template <bool Explained>
ladder<doubling_workload> two_variants() {
  return {{.name = "baseline", .is = role::baseline, .run = twice},
          {.name = "candidate", .run = twice, .explanation = Explained ? "a closed form" : ""}};
}

// The check of the candidate at the large size, after the family at the small one; none: nothing was added.
std::vector<model::check> scaling_of(const model::family& earlier, model::family later,
                                     bool explained = false) {
  add_scaling_checks(later, {earlier},
                     doubling(explained ? two_variants<true> : two_variants<false>, small_size));
  return later.comparisons.front().checks;
}

TEST(scaling_check, time_that_does_not_grow_with_the_work_is_asked_about) {
  auto later = sized_family(large_size, 21e-6);
  add_scaling_checks(later, {sized_family(small_size, 20e-6)}, doubling(two_variants<false>, small_size));
  const auto& c = later.comparisons.front();
  ASSERT_EQ(c.checks.size(), 1U);
  EXPECT_EQ(c.checks.front().id, "scaling");
  EXPECT_EQ(c.checks.front().result, model::outcome::warn);
  EXPECT_NE(c.checks.front().evidence.find("16 times the work"), std::string::npos)
      << c.checks.front().evidence;
  EXPECT_EQ(c.assurance, 1);
}

TEST(scaling_check, an_explanation_answers) {
  const auto checks = scaling_of(sized_family(small_size, 20e-6), sized_family(large_size, 21e-6), true);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks.front().result, model::outcome::pass);
  EXPECT_NE(checks.front().evidence.find("a closed form"), std::string::npos);
}

TEST(scaling_check, time_that_grows_passes_and_the_order_of_sizes_does_not_matter) {
  for (const auto& checks : {scaling_of(sized_family(small_size, 20e-6), sized_family(large_size, 200e-6)),
                             scaling_of(sized_family(large_size, 200e-6), sized_family(small_size, 20e-6))}) {
    ASSERT_EQ(checks.size(), 1U);
    EXPECT_EQ(checks.front().result, model::outcome::pass);
  }
  EXPECT_EQ(scaling_of(sized_family(large_size, 21e-6), sized_family(small_size, 20e-6)).front().result,
            model::outcome::warn);
}

TEST(scaling_check, says_nothing_of_what_cannot_be_compared) {
  EXPECT_TRUE(
      scaling_of(sized_family(small_size, 2e-6), sized_family(large_size, 2e-6)).empty());  // too brief
  EXPECT_TRUE(scaling_of(sized_family(small_size, 20e-6), sized_family(2 * small_size, 21e-6)).empty());
  auto other = sized_family(small_size, 20e-6);
  other.problem[1].second = std::string("sparse");
  EXPECT_TRUE(scaling_of(other, sized_family(large_size, 21e-6)).empty());
  other = sized_family(small_size, 20e-6);
  other.experiment = "test.other";
  EXPECT_TRUE(scaling_of(other, sized_family(large_size, 21e-6)).empty());
}

// What is bound by a fixed cost in both arms says nothing about the candidate.
TEST(scaling_check, passes_where_the_reference_does_not_grow_either) {
  auto earlier = sized_family(small_size, 20e-6), later = sized_family(large_size, 21e-6);
  earlier.measurements.front().metrics.front().median = 30e-6;
  later.measurements.front().metrics.front().median = 40e-6;
  const auto checks = scaling_of(earlier, later);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks.front().result, model::outcome::pass);
}

}  // namespace
}  // namespace ridge::harness
