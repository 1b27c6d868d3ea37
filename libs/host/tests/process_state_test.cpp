// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_state.hpp>

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <ridge/host/affinity.hpp>
#include <ridge/host/child_process.hpp>

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

TEST(process_state, tells_the_locale_the_slack_and_the_name) {
  EXPECT_EQ(told([] { std::setlocale(LC_ALL, "C.UTF-8"); }, [] { std::setlocale(LC_ALL, "C"); }),
            "the locale;");
  const int slack = prctl(PR_GET_TIMERSLACK);
  EXPECT_EQ(told([] { prctl(PR_SET_TIMERSLACK, 7); }, [=] { prctl(PR_SET_TIMERSLACK, slack); }),
            "the slack of its timers;");
  char name[17] = {};
  prctl(PR_GET_NAME, name);
  EXPECT_EQ(told([] { prctl(PR_SET_NAME, "another"); }, [&] { prctl(PR_SET_NAME, name); }),
            "the thread's name;");
}

TEST(process_state, tells_where_other_threads_may_run) {
  const auto cpus = affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  std::atomic<bool> end = false;
  std::atomic<pid_t> id = 0;
  std::thread other([&] {
    id = gettid();
    id.notify_all();
    end.wait(false);
  });
  id.wait(0);
  const auto place = [&](const std::vector<int>& wanted) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : wanted) CPU_SET(static_cast<std::size_t>(cpu), &set);
    sched_setaffinity(id, sizeof set, &set);
  };
  EXPECT_EQ(told([&] { place({cpus.back()}); }, [&] { place(cpus); }),
            "the CPUs that another thread may use;");
  end = true;
  end.notify_all();
  other.join();
}

TEST(process_state, tells_memory_that_stays_mapped_and_not_that_of_malloc) {
  const auto before = read_process_state();
  if (before.mapped_bytes == 0) GTEST_SKIP() << "the allocator does not tell what it takes";
  std::vector<char> large(std::size_t{3} << 20, 'x');
  EXPECT_EQ(kept_mapping(before, read_process_state()), "") << large.size();
  void* pages = mmap(nullptr, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_EQ(kept_mapping(before, read_process_state()), "1048576 B of memory stayed mapped");
  munmap(pages, 1 << 20);
  EXPECT_EQ(kept_mapping(before, read_process_state()), "");
}

void* returns_at_once(void*) { return nullptr; }

// In a child, since the first thread of a process that allocates gets a heap that is kept. The stack that it
// gets is that of a thread before it, which did not allocate.
TEST(process_state, tells_no_mapping_where_a_thread_that_has_ended_left_its_heap) {
  if (sanitized) GTEST_SKIP() << "a sanitizer stands in front of malloc";
  if (read_process_state().mapped_bytes == 0) GTEST_SKIP() << "the allocator does not tell what it takes";
  const auto done = run_forked(
      [] {
        pthread_t first{};
        pthread_create(&first, nullptr, returns_at_once, nullptr);
        pthread_join(first, nullptr);
        const auto before = read_process_state();
        char* volatile kept = nullptr;
        std::thread([&] {
          kept = static_cast<char*>(std::malloc(1 << 16));
          std::vector<void*> small;
          for (int i = 0; i < 8; ++i) small.push_back(std::malloc(100'000));
          for (void* one : small) std::free(one);
        }).join();
        auto all = kept_mapping(before, read_process_state()) + ';';
        void* pages = mmap(nullptr, 4 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        all += kept_mapping(before, read_process_state());
        munmap(pages, 4 << 20);
        std::free(kept);
        return all;
      },
      10);
  EXPECT_EQ(done.output.substr(0, 1), ";") << done.output;
  EXPECT_NE(done.output.find("stayed mapped"), std::string::npos) << "and a mapping beside it is told";
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// In a child, since malloc does not say how it was set before.
TEST(process_state, tells_that_malloc_was_told_to_map_small_requests) {
  if (sanitized) GTEST_SKIP() << "a sanitizer stands in front of malloc";
  const auto done = run_forked(
      [] {
        const auto before = read_process_state();
        mallopt(M_MMAP_THRESHOLD, 4096);
        std::string all;
        for (const auto& one : differences(before, read_process_state())) all += one + ";";
        return all;
      },
      10);
  EXPECT_EQ(done.output, "a setting of malloc;");
}
#endif

}  // namespace
}  // namespace ridge::host
