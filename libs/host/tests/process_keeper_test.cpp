// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_keeper.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <ridge/host/child_process.hpp>

namespace ridge::host {
namespace {

// Starts a program of a group of its own, a further one in a session of its own, and both write their ids.
std::string two_sleepers(const std::filesystem::path& folder) {
  const auto path = folder.string();
  return "setsid sh -c 'echo $$ >" + path + "/far; sleep 100' & echo $$ >" + path + "/near; sleep 100; true";
}

pid_t id_in(const std::filesystem::path& file) {
  pid_t id = 0;
  for (int i = 0; i < 500 && id == 0; ++i) {
    std::ifstream(file) >> id;
    if (id == 0) usleep(10'000);
  }
  return id;
}

// Whether a process runs; one that has ended and waits to be noticed does not.
bool runs(pid_t id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end, 3, ") Z") != 0;
}

bool gone_within_two_seconds(pid_t id) {
  for (int i = 0; i < 200 && runs(id); ++i) usleep(10'000);
  return !runs(id);
}

class process_keeper_test : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ridge_keeper_" + std::to_string(getpid()));
};

TEST_F(process_keeper_test, what_was_started_ends_with_a_process_that_is_killed) {
  const pid_t parent = fork();
  if (parent == 0) {
    const process_keeper keeper;
    (void)run_program({.command = {"sh", "-c", two_sleepers(folder)}});
    _exit(0);
  }
  const pid_t near = id_in(folder / "near"), far = id_in(folder / "far");
  ASSERT_GT(near, 0);
  ASSERT_GT(far, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(gone_within_two_seconds(near));
  EXPECT_TRUE(gone_within_two_seconds(far)) << "it is in a session of its own";
}

TEST_F(process_keeper_test, what_was_started_ends_with_the_keeper_and_nothing_else_does) {
  const child_process other(program{.command = {"sleep", "100"}});
  pid_t far = 0, watcher = 0;
  {
    const process_keeper keeper;
    watcher = keeper.id();
    const child_process started(program{.command = {"sh", "-c", two_sleepers(folder)}});
    far = id_in(folder / "far");
    ASSERT_GT(far, 0);
    ASSERT_EQ(kill(far, 0), 0);
  }
  EXPECT_TRUE(gone_within_two_seconds(far));
  EXPECT_NE(kill(watcher, 0), 0);
  EXPECT_EQ(kill(other.id(), 0), 0);
  EXPECT_EQ(std::getenv("RIDGE_KEPT_BY"), nullptr);
}

TEST_F(process_keeper_test, a_keeper_that_was_killed_kills_nobody) {
  const auto done = run_forked([] {
    {
      const process_keeper keeper;
      kill(keeper.id(), SIGKILL);
      while (runs(keeper.id())) usleep(1'000);
    }
    return std::string("still here");
  });
  EXPECT_EQ(done.output, "still here");
}

TEST_F(process_keeper_test, one_inside_another_leaves_its_variable) {
  const process_keeper outer;
  const std::string value = std::getenv("RIDGE_KEPT_BY");
  {
    const process_keeper inner;
    EXPECT_NE(std::getenv("RIDGE_KEPT_BY"), value);
  }
  EXPECT_EQ(std::getenv("RIDGE_KEPT_BY"), value);
}

}  // namespace
}  // namespace ridge::host
