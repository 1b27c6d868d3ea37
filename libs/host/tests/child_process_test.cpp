// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/child_process.hpp>

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

program shell(const std::string& line) { return {.command = {"sh", "-c", line}}; }

bool alive(pid_t id) { return kill(id, 0) == 0; }

bool gone_within(pid_t id, double limit_s) {
  for (int i = 0; i < static_cast<int>(limit_s * 100) && alive(id); ++i) usleep(10'000);
  return !alive(id);
}

TEST(child_process, output_and_errors_are_captured_apart) {
  const auto done = run_program(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(done.outcome, child_outcome(child_exited{3}));
  EXPECT_FALSE(succeeded(done.outcome));
  EXPECT_EQ(shell_status(done.outcome), 3);
  EXPECT_EQ(done.output, "out\n");
  EXPECT_EQ(done.errors, "err\n");
  EXPECT_GT(done.wall_s, 0);
  EXPECT_GT(done.peak_bytes, 0);
}

TEST(child_process, one_stream_keeps_the_order) {
  auto start = shell("echo a; echo b >&2; echo c");
  start.one_stream = true;
  EXPECT_EQ(run_program(start).output, "a\nb\nc\n");
}

TEST(child_process, more_output_than_a_pipe_holds_is_captured) {
  EXPECT_EQ(run_program(shell("head -c 1000000 /dev/zero")).output.size(), 1'000'000u);
}

TEST(child_process, discarded_output_and_input_are_empty) {
  auto start = shell("cat; echo out");
  start.output = child_output::discard;
  const auto done = run_program(start);
  EXPECT_TRUE(succeeded(done.outcome));
  EXPECT_EQ(done.output, "");
}

TEST(child_process, reads_and_writes_files_in_a_folder_of_its_own) {
  const auto folder = std::filesystem::temp_directory_path() / ("ridge_child_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "below");
  { std::ofstream(folder / "in") << "from a file"; }
  auto start = shell("cat; pwd");
  start.output = child_output::pass;
  start.input_file = (folder / "in").string();
  start.output_file = (folder / "out").string();
  start.folder = (folder / "below").string();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(succeeded(run_program(start).outcome));
  std::ifstream written(folder / "out");
  const std::string text{std::istreambuf_iterator<char>(written), {}};
  EXPECT_EQ(text, "from a file" + (folder / "below").string() + "\n") << "written anew by the second run";
  start.input_file = (folder / "missing").string();
  EXPECT_THROW((void)run_program(start), io_failure);
  start.input_file.clear();
  start.folder = (folder / "nowhere").string();
  EXPECT_TRUE(std::holds_alternative<child_not_started>(run_program(start).outcome));
  std::filesystem::remove_all(folder);
}

TEST(child_process, a_signal_is_named) {
  const auto done = run_program(shell("kill -SEGV $$"));
  EXPECT_EQ(done.outcome, child_outcome(child_signalled{SIGSEGV, "SIGSEGV"}));
  EXPECT_EQ(shell_status(done.outcome), 128 + SIGSEGV);
  EXPECT_EQ(text(done.outcome), "was killed by SIGSEGV");
}

TEST(child_process, a_signal_is_sent_to_a_child_that_lives_and_to_no_other) {
  child_process child(shell("sleep 60"));
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait(10).outcome, child_outcome(child_signalled{SIGTERM, "SIGTERM"}));
  errno = 0;
  child.signal(SIGTERM);
  EXPECT_EQ(errno, 0) << "the kernel is not asked for a process that is gone";
}

TEST(child_process, a_time_limit_kills_the_whole_group) {
  child_process child(shell("sleep 60 & echo $!; wait"));
  const auto done = child.wait(0.3);
  EXPECT_EQ(done.outcome, child_outcome(child_timed_out{0.3}));
  const auto grandchild = static_cast<pid_t>(std::stol(done.output));
  // Whoever adopts it must still notice its end: a zombie counts as gone.
  EXPECT_TRUE(gone_within(grandchild, 0.5) ||
              !std::filesystem::exists("/proc/" + std::to_string(grandchild) + "/exe"));
  EXPECT_EQ(text(child_outcome(child_timed_out{60})), "did not end within 60 s");
}

TEST(child_process, a_program_that_is_not_there_could_not_be_started) {
  const auto done = run_program({.command = {"/no/such/program"}});
  EXPECT_EQ(done.outcome, child_outcome(child_not_started{"/no/such/program", ENOENT}));
  EXPECT_NE(text(done.outcome).find("/no/such/program"), std::string::npos);
  EXPECT_EQ(shell_status(done.outcome), 127);
}

TEST(child_process, variables_are_added_or_replaced) {
  setenv("RIDGE_TEST_OLD", "old", 1);
  auto start = shell("test \"$RIDGE_TEST_OLD$RIDGE_TEST_NEW\" = ab && test -n \"$PATH\"");
  start.variables = {{"RIDGE_TEST_OLD", "a"}, {"RIDGE_TEST_NEW", "b"}};
  EXPECT_TRUE(succeeded(run_program(start).outcome));
}

TEST(child_process, a_held_program_runs_when_released) {
  const auto file = std::filesystem::temp_directory_path() / ("ridge-held-" + std::to_string(getpid()));
  auto start = shell("echo ran > " + file.string());
  start.held = true;
  {
    child_process never(start);
    usleep(20'000);
    EXPECT_FALSE(never.ended());
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  child_process let(start);
  EXPECT_TRUE(let.release());
  EXPECT_TRUE(succeeded(let.wait().outcome));
  EXPECT_TRUE(std::filesystem::exists(file));
  std::filesystem::remove(file);
}

TEST(child_process, releasing_a_program_that_is_not_there_is_an_error) {
  child_process none({.command = {"/no/such/program"}, .held = true});
  const auto released = none.release();
  ASSERT_FALSE(released);
  EXPECT_NE(released.why().message.find("/no/such/program"), std::string::npos);
}

TEST(child_process, a_destroyed_one_kills_its_program) {
  pid_t id = -1;
  {
    child_process child(shell("sleep 60"));
    id = child.id();
    EXPECT_FALSE(child.ended());
  }
  EXPECT_FALSE(alive(id));
}

TEST(child_process, a_forked_function_answers_from_a_copy) {
  int changed = 0;
  const auto done = run_forked([&] {
    changed = 1;
    return std::string(200'000, 'x') + '\0' + "end";
  });
  EXPECT_TRUE(succeeded(done.outcome));
  EXPECT_EQ(done.output.size(), 200'004u);
  EXPECT_EQ(changed, 0);
}

TEST(child_process, a_forked_function_may_crash_exit_throw_or_hang) {
  EXPECT_EQ(run_forked([]() -> std::string {
              raise(SIGFPE);
              return "no";
            }).outcome,
            child_outcome(child_signalled{SIGFPE, "SIGFPE"}));
  const auto exited = run_forked([]() -> std::string { _exit(0); });
  EXPECT_TRUE(succeeded(exited.outcome));
  EXPECT_EQ(exited.output, "");
  EXPECT_EQ(run_forked([]() -> std::string { throw 1; }).outcome, child_outcome(child_exited{1}));
  const auto hung = run_forked(
      []() -> std::string {
        while (true) pause();
      },
      0.1);
  EXPECT_EQ(hung.outcome, child_outcome(child_timed_out{0.1}));
}

// The middle process starts a child and is killed: the kernel must take the child along.
TEST(child_process, dies_with_its_parent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    child_process middle([&]() -> std::string {
      const child_process inner(program{
          .command = {"sleep", "60"}, .output = child_output::discard, .errors = child_output::discard});
      const pid_t id = inner.id();
      (void)!write(ends[1], &id, sizeof id);
      while (true) pause();
    });
    pid_t inner = -1;
    ASSERT_EQ(read(ends[0], &inner, sizeof inner), static_cast<ssize_t>(sizeof inner));
    EXPECT_TRUE(alive(inner));
    kill(middle.id(), SIGKILL);
    (void)middle.wait();
    EXPECT_TRUE(gone_within(inner, 2) || !std::filesystem::exists("/proc/" + std::to_string(inner) + "/exe"));
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(child_process, the_group_is_ours_where_asked) {
  auto start = shell("ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat");
  start.own_group = false;
  EXPECT_EQ(std::stol(run_program(start).output), getpgrp());
  start.own_group = true;
  EXPECT_NE(std::stol(run_program(start).output), getpgrp());
}

TEST(child_process, a_watched_child_ends_by_itself_or_when_its_watch_says_so) {
  child_process brief([] { return std::string("done"); });
  EXPECT_EQ(brief.wait_watched(10, 0.01, [] { return true; }).output, "done");
  child_process endless([]() -> std::string {
    while (true) pause();
  });
  int asked = 0;
  const auto done = endless.wait_watched(60, 0.01, [&] { return ++asked < 3; });
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(std::holds_alternative<child_timed_out>(done.outcome)) << text(done.outcome);
}

}  // namespace
}  // namespace ridge::host
