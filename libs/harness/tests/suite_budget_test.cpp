// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/harness/session.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

ladder<doubling_workload> two() {
  return {{.name = "one", .is = role::baseline, .run = twice}, {.name = "other", .run = twice}};
}

// An experiment of this id with twelve problems.
experiment of_twelve(const std::string& id) {
  auto stated = doubling_as_stated(two, 4096);
  stated.id = id;
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 0; n < 12; ++n) sizes.push_back(4096 + 64 * n);
  stated.axes = {values("n", sizes)};
  return stated;
}

TEST(suite_budget, is_kept_and_what_it_leaves_out_is_named) {
  if (sanitized) GTEST_SKIP() << "what is not timed takes longer here than a budget allows for";
  const auto where = host_device_for_tests();
  auto options = short_session(1);
  options.suite_budget_s = 2;
  const auto planned = plan({of_twelve("test.first"), of_twelve("test.second")}, options);
  ASSERT_TRUE(planned);
  listener nobody;
  const double start = monotonic_seconds();
  const auto run = run_all({}, *planned, {.device = where.get()}, options, nobody);
  EXPECT_LT(monotonic_seconds() - start, 6.0) << "24 problems of a second each arm";
  EXPECT_EQ(run.families.size() + run.left_out.size(), planned->size());
  EXPECT_FALSE(run.families.empty());
  std::map<std::string, std::size_t> measured;
  for (const auto& f : run.families) ++measured[f.experiment];
  for (const auto& one : run.left_out) {
    EXPECT_TRUE(one.reason == "the budget of 2 s was used up" ||
                one.reason == "it took more than twice its part of the budget")
        << one.reason;
    EXPECT_FALSE(one.problem.empty());
  }
  // The first problem of each experiment comes before the second of any, however far a busy machine gets.
  const bool second_problem = std::ranges::any_of(measured, [](const auto& each) { return each.second > 1; });
  EXPECT_TRUE(!second_problem || measured.size() == 2);
  EXPECT_EQ(run.families.front().experiment, "test.first");
}

// Verification takes longer than two parts of a budget that has many problems, and less than an experiment's.
TEST(suite_budget, a_first_problem_that_is_long_to_verify_gets_the_time_of_the_first_problems) {
  if (sanitized) GTEST_SKIP() << "what is not timed takes longer here than a budget allows for";
  static const auto waits = [](doubling_workload& w, call& c) {
    static bool first = true;
    if (std::exchange(first, false)) usleep(700'000);
    twice(w, c);
  };
  const auto where = host_device_for_tests();
  auto slow = doubling_as_stated(
      []() -> ladder<doubling_workload> {
        return {{.name = "one", .is = role::baseline, .run = waits}, {.name = "other", .run = twice}};
      },
      4096);
  slow.id = "test.slow";
  slow.axes = of_twelve("test.slow")->axes;
  auto options = short_session(1);
  options.suite_budget_s = 16;
  const auto planned = plan({experiment(slow), of_twelve("test.second")}, options);
  ASSERT_TRUE(planned);
  listener nobody;
  const auto run = run_all({}, *planned, {.device = where.get()}, options, nobody);
  EXPECT_TRUE(std::ranges::any_of(run.families, [](const auto& f) { return f.experiment == "test.slow"; }));
  EXPECT_TRUE(std::ranges::any_of(run.families, [](const auto& f) { return f.experiment == "test.second"; }));
}

TEST(suite_budget, a_variant_that_takes_all_of_it_is_ended) {
  static const auto forever = [](doubling_workload&, call&) {
    while (true) asm volatile("" ::: "memory");
  };
  const auto where = host_device_for_tests();
  const auto e = doubling(
      []() -> ladder<doubling_workload> {
        return {{.name = "honest", .is = role::baseline, .run = twice}, {.name = "endless", .run = forever}};
      },
      4096);
  auto options = short_session(1);
  options.suite_budget_s = 1.5;
  listener nobody;
  const double start = monotonic_seconds();
  const auto run = run_all({}, *plan({e}, options), {.device = where.get()}, options, nobody);
  EXPECT_LT(monotonic_seconds() - start, 10.0) << "it would stay for ever";
  ASSERT_EQ(run.left_out.size(), 1u);
  EXPECT_EQ(run.left_out.front().experiment, "test.doubling");
  EXPECT_TRUE(run.families.empty());
}

class interrupted_at_once final : public listener {
 public:
  bool wants_stop() const override { return true; }
};

TEST(suite_budget, a_deadline_alone_has_words_of_its_own) {
  const auto where = host_device_for_tests();
  auto options = short_session(0.05);
  options.deadline_s = monotonic_seconds();
  listener nobody;
  const auto e = doubling(two, 4096);
  const auto run = run_all({}, *plan({e}, options), {.device = where.get()}, options, nobody);
  ASSERT_EQ(run.left_out.size(), 1u);
  EXPECT_EQ(run.left_out.front().reason, "the time until the run's deadline was used up");
}

TEST(suite_budget, an_interrupted_run_says_what_it_left_out) {
  const auto where = host_device_for_tests();
  const auto options = short_session(0.05);
  interrupted_at_once user;
  const auto e = doubling(two, 4096);
  const auto run = run_all({}, *plan({e}, options), {.device = where.get()}, options, user);
  EXPECT_TRUE(run.families.empty());
  ASSERT_EQ(run.left_out.size(), 1u);
  EXPECT_EQ(run.left_out.front().reason, "the run was interrupted");
}

}  // namespace
}  // namespace ridge::harness
