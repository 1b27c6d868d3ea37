// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <string>

#include <ridge/base/sanitized.hpp>
#include <ridge/host/child_process.hpp>

namespace ridge::judge {
namespace {

const sandbox_rules rules_of_tests{.threads = false, .memory_bytes = std::uint64_t{256} << 20};

// What a forked process that has entered the sandbox found: whether `work` was allowed to. It answers by its
// status, for it can write nothing.
std::string inside(const std::function<bool()>& work, const sandbox_rules& rules = rules_of_tests) {
  constexpr int allowed = 10, refused = 11, no_filter = 12;
  const auto done = host::run_forked(
      [&]() -> std::string {
        sandbox_report report;
        if (rules.gpu) {
          static_cast<void>(enter_without_filter(rules, report));
          close_sandbox(rules, 0, report);
        } else {
          static_cast<void>(enter_sandbox(rules, report));
        }
        if (report[sandbox_part::system_calls] != 0) ::_exit(no_filter);
        ::_exit(work() ? allowed : refused);
      },
      20.0);
  const int status = host::shell_status(done.outcome);
  if (status == allowed) return "allowed";
  if (status == refused) return "refused";
  return status == no_filter ? "no filter" : host::text(done.outcome);
}

bool no_filters_here() {
  return inside([] { return true; }) == "no filter";
}

class sandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "a sanitizer needs what the sandbox takes away";
    if (no_filters_here()) GTEST_SKIP() << "the kernel grants no filters of system calls";
  }
};

TEST_F(sandbox, lets_code_compute_and_allocate) {
  EXPECT_EQ(inside([] { return std::string(1 << 20, 'x').size() == 1 << 20; }), "allowed");
}

TEST_F(sandbox, opens_nothing_for_writing) {
  EXPECT_EQ(inside([] { return ::open("/tmp/ridge_sandbox", O_WRONLY | O_CREAT, 0600) >= 0; }), "refused");
  EXPECT_EQ(inside([] { return ::open("/dev/null", O_RDWR) >= 0; }), "refused");
}

TEST_F(sandbox, of_a_gpu_refuses_what_no_driver_needs) {
  const sandbox_rules with_gpu{.gpu = true, .memory_bytes = std::uint64_t{64} << 20};
  EXPECT_EQ(inside([] { return ::open("/tmp/ridge_sandbox", O_WRONLY | O_CREAT, 0600) >= 0; }, with_gpu),
            "refused");
  EXPECT_EQ(inside([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }, with_gpu), "refused");
  EXPECT_EQ(inside([] { return ::kill(::getppid(), 0) == 0; }, with_gpu), "refused");
  EXPECT_EQ(inside([] { return std::string(1 << 20, 'x').size() == 1 << 20; }, with_gpu), "allowed");
  const auto maps = [](std::size_t bytes, int protection) {
    return ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  };
  EXPECT_EQ(inside([&] { return maps(std::size_t{1} << 40, PROT_NONE); }, with_gpu), "allowed");
  EXPECT_EQ(inside([&] { return maps(std::size_t{128} << 20, PROT_READ | PROT_WRITE); }, with_gpu),
            "refused");
}

TEST_F(sandbox, has_no_sockets_and_no_signals_to_others) {
  EXPECT_EQ(inside([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }), "refused");
  EXPECT_EQ(inside([] { return ::kill(::getppid(), 0) == 0; }), "refused");
}

TEST_F(sandbox, sets_no_timers_that_could_continue_it) {
  EXPECT_EQ(inside([] {
              timer_t made{};
              sigevent event{};
              event.sigev_notify = SIGEV_SIGNAL;
              event.sigev_signo = SIGCONT;
              return ::timer_create(CLOCK_MONOTONIC, &event, &made) == 0;
            }),
            "refused");
}

TEST_F(sandbox, gives_no_advice_that_takes_pages_from_others) {
  EXPECT_EQ(inside([] {
              void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
              return ::madvise(page, 4096, MADV_REMOVE) == 0;
            }),
            "refused");
}

TEST_F(sandbox, ends_what_forks) {
  EXPECT_EQ(inside([] { return ::fork() >= 0; }), "exited with status 159");
}

TEST_F(sandbox, starts_threads_only_where_they_are_granted) {
  const auto starts_a_thread = [] {
    pthread_t made{};
    const auto nothing = [](void*) -> void* { return nullptr; };
    return ::pthread_create(&made, nullptr, nothing, nullptr) == 0 && ::pthread_join(made, nullptr) == 0;
  };
  EXPECT_EQ(inside(starts_a_thread), "refused");
  auto rules = rules_of_tests;
  rules.threads = true;
  EXPECT_EQ(inside(starts_a_thread, rules), "allowed");
}

TEST_F(sandbox, limits_memory) {
  EXPECT_EQ(inside([] {
              constexpr std::size_t more = std::size_t{1} << 30;
              return ::mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                     MAP_FAILED;
            }),
            "refused");
}

}  // namespace
}  // namespace ridge::judge
