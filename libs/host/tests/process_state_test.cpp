// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_state.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace ridge::host {
namespace {

// What is told after `change`, which `restore` takes back.
std::string told(const std::function<void()>& change, const std::function<void()>& restore) {
  const auto before = read_process_state();
  change();
  const auto after = read_process_state();
  restore();
  EXPECT_TRUE(differences(before, read_process_state()).empty()) << "what is taken back is no difference";
  std::string all;
  for (const auto& one : differences(before, after)) all += one + ";";
  return all;
}

TEST(process_state, nothing_differs_when_nothing_was_changed) {
  EXPECT_TRUE(differences(read_process_state(), read_process_state()).empty());
}

TEST(process_state, tells_threads) {
  std::atomic<bool> end = false;
  std::thread waiting;
  EXPECT_EQ(told([&] { waiting = std::thread([&] { end.wait(false); }); },
                 [&] {
                   end = true;
                   end.notify_all();
                   waiting.join();
                 }),
            "1 threads more;");
}

TEST(process_state, tells_descriptors_by_what_they_open) {
  int descriptor = -1;
  const auto seen = told([&] { descriptor = open("/dev/zero", O_RDONLY); }, [&] { close(descriptor); });
  EXPECT_EQ(seen, "the descriptor " + std::to_string(descriptor) + " -> /dev/zero was opened;");
}

TEST(process_state, tells_children) {
  pid_t child = 0;
  const auto seen = told(
      [&] {
        child = fork();
        if (child == 0) {
          pause();
          _exit(0);
        }
      },
      [&] {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
      });
  if (!std::filesystem::exists("/proc/self/task/" + std::to_string(getpid()) + "/children"))
    GTEST_SKIP() << "this kernel does not list children";
  EXPECT_EQ(seen, "1 child processes;");
}

TEST(process_state, tells_signal_handlers_and_timers) {
  EXPECT_EQ(told([] { std::signal(SIGUSR1, [](int) {}); }, [] { std::signal(SIGUSR1, SIG_DFL); }),
            "the handler of SIGUSR1;");
  const itimerval long_time{{0, 0}, {1000, 0}}, none{};
  EXPECT_EQ(told([&] { setitimer(ITIMER_REAL, &long_time, nullptr); },
                 [&] { setitimer(ITIMER_REAL, &none, nullptr); }),
            "an interval timer;");
}

TEST(process_state, tells_environment_mask_and_folder) {
  EXPECT_EQ(told([] { setenv("RIDGE_TEST_STATE", "1", 1); }, [] { unsetenv("RIDGE_TEST_STATE"); }),
            "the environment variable RIDGE_TEST_STATE;");
  mode_t mask = 0;
  EXPECT_EQ(told([&] { mask = umask(0777); }, [&] { umask(mask); }), "the mask of new files' permissions;");
  const auto folder = std::filesystem::current_path();
  EXPECT_EQ(told([] { std::filesystem::current_path("/"); }, [&] { std::filesystem::current_path(folder); }),
            "the current folder;");
}

#if defined(__x86_64__)
TEST(process_state, tells_the_rounding_mode) {
  const auto control = _mm_getcsr();
  EXPECT_EQ(told([&] { _mm_setcsr(control | 0x8000u); }, [&] { _mm_setcsr(control); }), "the rounding mode;");
}
#endif

}  // namespace
}  // namespace ridge::host
