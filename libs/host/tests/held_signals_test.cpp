// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/held_signals.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

volatile std::sig_atomic_t handled = 0;

// Counts SIGUSR1 while it exists.
class counted_signal {
 public:
  counted_signal() {
    handled = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { handled = handled + 1; };
    sigaction(SIGUSR1, &action, &before_);
  }
  ~counted_signal() { sigaction(SIGUSR1, &before_, nullptr); }
  counted_signal(const counted_signal&) = delete;
  counted_signal& operator=(const counted_signal&) = delete;

 private:
  struct sigaction before_ {};
};

TEST(held_signals, wait_until_they_are_released) {
  const counted_signal signal;
  held_signals held;
  EXPECT_TRUE(held.hold());
  raise(SIGUSR1);
  EXPECT_EQ(handled, 0);
  EXPECT_TRUE(held.release());
  EXPECT_EQ(handled, 1);
  raise(SIGUSR1);
  EXPECT_EQ(handled, 2) << "nothing is held any more";
}

TEST(held_signals, are_let_through_at_the_end) {
  const counted_signal signal;
  {
    held_signals held;
    held.hold();
    raise(SIGUSR1);
  }
  EXPECT_EQ(handled, 1);
}

TEST(held_signals, tell_a_mask_that_somebody_changed) {
  held_signals held;
  sigset_t more{};
  sigaddset(&more, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &more, nullptr);
  EXPECT_FALSE(held.hold());
  EXPECT_TRUE(held.release());
  sigset_t now{};
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  EXPECT_EQ(sigismember(&now, SIGUSR2), 0) << "the thread has its first mask again";
}

void open_the_page(int, siginfo_t* seen, void*) {
  const auto page = reinterpret_cast<std::uintptr_t>(seen->si_addr) / 4096 * 4096;
  mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE);
}

// Reads a closed page whose handler would open it.
[[noreturn]] void read_a_closed_page(bool hold) {
  struct sigaction action {};
  action.sa_sigaction = open_the_page;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  auto* page =
      static_cast<volatile char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  held_signals held;
  if (hold) held.hold();
  _exit(page[0]);
}

TEST(held_signals, end_the_process_at_a_fault_whatever_handles_it) {
  EXPECT_EXIT(read_a_closed_page(false), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(read_a_closed_page(true), testing::KilledBySignal(SIGSEGV), "");
}

TEST(hold_signals_of_this_thread, holds_what_comes_from_outside) {
  const counted_signal signal;
  int seen = -1;
  std::thread([&] {
    hold_signals_of_this_thread();
    raise(SIGUSR1);
    seen = handled;
    sigset_t now{};
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    EXPECT_EQ(sigismember(&now, SIGSEGV), 0);
  }).join();
  EXPECT_EQ(seen, 0);
}

}  // namespace
}  // namespace ridge::host
