// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/profile_session.hpp>

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

program_start shell(const std::string& line) { return {.command = {"sh", "-c", line}}; }

// Without a sampler as well as with one that is refused, the program runs.
TEST(profile_session, a_refused_sampler_leaves_the_program_running) {
  session_settings settings;
  settings.sampler = [](pid_t, const sampler_settings&) -> result<std::unique_ptr<cpu_sampler>> {
    return error{"no", "never"};
  };
  const auto seen = run_profiled(shell("exit 5"), settings);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->exit_code, 5);
  EXPECT_EQ(seen->not_sampled->message, "no");
  EXPECT_EQ(seen->sampler_unit, "");
  EXPECT_GT(seen->end_ns, seen->start_ns);
}

TEST(profile_session, a_signal_goes_to_the_program_and_not_to_us) {
  const auto seen = run_profiled(shell("trap 'exit 9' TERM; kill -TERM $PPID; sleep 10 & wait"), {});
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->exit_code, 9);
}

TEST(profile_session, exit_codes_and_signals_are_told_as_a_shell_does) {
  EXPECT_EQ(run_profiled(shell("exit 3"), {})->exit_code, 3);
  EXPECT_EQ(run_profiled(shell("kill -9 $$"), {})->exit_code, 128 + 9);
}

TEST(profile_session, a_program_that_is_not_there_is_an_error) {
  const auto seen = run_profiled({.command = {"/no/such/program"}}, {});
  ASSERT_FALSE(seen);
  EXPECT_NE(seen.why().message.find("/no/such/program"), std::string::npos);
}

TEST(profile_session, variables_reach_the_program) {
  auto start = shell("exit $RIDGE_TEST_STATUS");
  start.variables = {{"RIDGE_TEST_STATUS", "7"}};
  EXPECT_EQ(run_profiled(start, {})->exit_code, 7);
}

}  // namespace
}  // namespace ridge::profile
