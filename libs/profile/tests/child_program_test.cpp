// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/child_program.hpp>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <ridge/profile/profile_session.hpp>

namespace ridge::profile {
namespace {

program_start shell(const std::string& line) { return {.command = {"sh", "-c", line}}; }

TEST(child_program, nothing_runs_before_it_is_let) {
  const auto file = std::filesystem::temp_directory_path() / ("ridge-held-" + std::to_string(getpid()));
  {
    child_program held(shell("echo ran > " + file.string()));
    usleep(20'000);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_FALSE(held.ended());
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  child_program let(shell("echo ran > " + file.string()));
  EXPECT_TRUE(let.release());
  EXPECT_EQ(let.ended(true), 0);
  EXPECT_TRUE(std::filesystem::exists(file));
  std::filesystem::remove(file);
}

TEST(child_program, exit_codes_and_signals_are_told) {
  child_program three(shell("exit 3"));
  ASSERT_TRUE(three.release());
  EXPECT_EQ(three.ended(true), 3);
  EXPECT_EQ(three.ended(), 3);
  child_program killed(shell("kill -9 $$"));
  ASSERT_TRUE(killed.release());
  EXPECT_EQ(killed.ended(true), 128 + SIGKILL);
}

TEST(child_program, a_program_that_is_not_there_is_an_error) {
  child_program none({.command = {"/no/such/program"}});
  const auto started = none.release();
  ASSERT_FALSE(started);
  EXPECT_NE(started.why().what.find("/no/such/program"), std::string::npos);
}

TEST(child_program, variables_are_added_or_replaced) {
  setenv("RIDGE_TEST_OLD", "old", 1);
  child_program child(
      {.command = {"sh", "-c", "test \"$RIDGE_TEST_OLD$RIDGE_TEST_NEW\" = ab && test -n \"$PATH\""},
       .variables = {{"RIDGE_TEST_OLD", "a"}, {"RIDGE_TEST_NEW", "b"}}});
  ASSERT_TRUE(child.release());
  EXPECT_EQ(child.ended(true), 0);
}

// Without a sampler as well as with one that is refused, the program runs.
TEST(profile_session, a_refused_sampler_leaves_the_program_running) {
  session_settings settings;
  settings.sampler = [](pid_t, const sampler_settings&) -> result<std::unique_ptr<cpu_sampler>> {
    return error{"no", "never"};
  };
  const auto seen = run_profiled(shell("exit 5"), settings);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->exit_code, 5);
  EXPECT_EQ(seen->not_sampled->what, "no");
  EXPECT_EQ(seen->sampler_unit, "");
  EXPECT_GT(seen->end_ns, seen->start_ns);
}

TEST(profile_session, a_signal_goes_to_the_program_and_not_to_us) {
  const auto seen = run_profiled(shell("trap 'exit 9' TERM; kill -TERM $PPID; sleep 10 & wait"), {});
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->exit_code, 9);
}

}  // namespace
}  // namespace ridge::profile
