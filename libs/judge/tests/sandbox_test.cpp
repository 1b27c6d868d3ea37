// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <string>

#include <ridge/host/child_process.hpp>

namespace ridge::judge {
namespace {

constexpr sandbox_rules rules_of_tests{.threads = false, .memory_bytes = std::uint64_t{256} << 20};

// What `work` returns in a process that has entered the sandbox; how the process ended where it returned
// nothing.
std::string inside(const std::function<std::string()>& work, const sandbox_rules& rules = rules_of_tests) {
  const auto done = host::run_forked(
      [&] {
        sandbox_report report;
        static_cast<void>(enter_sandbox(rules, report));
        if (report[sandbox_part::system_calls] != 0) return std::string("no filter");
        return work();
      },
      20.0);
  return done.output.empty() ? host::text(done.outcome) : done.output;
}

bool no_filters_here() {
  return inside([] { return std::string("yes"); }) == "no filter";
}

std::string worked(bool yes) { return yes ? "worked" : "refused"; }

class sandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (no_filters_here()) GTEST_SKIP() << "the kernel grants no filters of system calls";
  }
};

TEST_F(sandbox, lets_code_compute_and_allocate) {
  EXPECT_EQ(inside([] { return std::to_string(std::string(1 << 20, 'x').size()); }), "1048576");
}

TEST_F(sandbox, opens_nothing_for_writing) {
  EXPECT_EQ(inside([] { return worked(::open("/tmp/ridge_sandbox", O_WRONLY | O_CREAT, 0600) >= 0); }),
            "refused");
  EXPECT_EQ(inside([] { return worked(::open("/dev/null", O_RDWR) >= 0); }), "refused");
}

TEST_F(sandbox, has_no_sockets_and_no_signals_to_others) {
  EXPECT_EQ(inside([] { return worked(::socket(AF_INET, SOCK_STREAM, 0) >= 0); }), "refused");
  EXPECT_EQ(inside([] { return worked(::kill(::getppid(), 0) == 0); }), "refused");
}

TEST_F(sandbox, sets_no_timers_that_could_continue_it) {
  EXPECT_EQ(inside([] {
              timer_t made{};
              sigevent event{};
              event.sigev_notify = SIGEV_SIGNAL;
              event.sigev_signo = SIGCONT;
              return worked(::timer_create(CLOCK_MONOTONIC, &event, &made) == 0);
            }),
            "refused");
}

TEST_F(sandbox, gives_no_advice_that_takes_pages_from_others) {
  EXPECT_EQ(inside([] {
              void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
              return worked(::madvise(page, 4096, MADV_REMOVE) == 0);
            }),
            "refused");
}

TEST_F(sandbox, ends_what_forks) {
  EXPECT_EQ(inside([] { return worked(::fork() >= 0); }), "exited with status 159");
}

TEST_F(sandbox, limits_memory) {
  EXPECT_EQ(inside([] {
              constexpr std::size_t more = std::size_t{1} << 30;
              return worked(::mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                                   0) != MAP_FAILED);
            }),
            "refused");
}

}  // namespace
}  // namespace ridge::judge
