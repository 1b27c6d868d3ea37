// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <ctime>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ridge/base/error.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

void get_ppid(int n) {
  for (int i = 0; i < n; ++i) syscall(SYS_getppid);
}

void read_monotonic(int n) {
  timespec now{};
  for (int i = 0; i < n; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
}

#if defined(__x86_64__)
constexpr const char* counter = "rdtsc";
void read_counter(int n) {
  for (int i = 0; i < n; ++i) asm volatile("rdtsc" ::: "eax", "edx");
}
#elif defined(__aarch64__)
constexpr const char* counter = "cntvct_el0";
void read_counter(int n) {
  std::uint64_t now;
  for (int i = 0; i < n; ++i) asm volatile("mrs %0, cntvct_el0" : "=r"(now));
}
#endif

void yield(int n) {
  for (int i = 0; i < n; ++i) sched_yield();
}

volatile std::sig_atomic_t delivered = 0;
void count_delivery(int) { delivered = delivered + 1; }

// A real-time signal that nothing else in the process uses; its old handler is restored at the end.
class own_signal final {
 public:
  own_signal() {
    struct sigaction mine {};
    mine.sa_handler = count_delivery;
    if (sigaction(number(), &mine, &before_) != 0) throw unavailable("a signal handler", "");
  }
  ~own_signal() { sigaction(number(), &before_, nullptr); }
  own_signal(const own_signal&) = delete;
  own_signal& operator=(const own_signal&) = delete;
  static int number() { return SIGRTMIN + 7; }

 private:
  struct sigaction before_ {};
};

void signal_self(int n) {
  for (int i = 0; i < n; ++i) pthread_kill(pthread_self(), own_signal::number());
}

model::ceiling row_of_calls(const probe::request& request, const char* id, const char* words,
                            const char* variant, void (*times)(int), gives_way waiting = gives_way::no) {
  batch calls{times};
  const auto found = observe_calls(request.clock, {time_of_row(request.depth)}, waiting, calls);
  return row_of_times(id, words, found,
                      variant + std::string(", means of ") + std::to_string(calls.each) + " calls");
}

}  // namespace

rows probe_syscall(const probe::request& request) {
  return {row_of_calls(request, "os.syscall", "a call into the kernel and back", "getppid", get_ppid)};
}

rows probe_clocks(const probe::request& request) {
  rows found{row_of_calls(request, "os.clock.monotonic", "reading the system's clock", "clock_gettime",
                          read_monotonic)};
#if defined(__x86_64__) || defined(__aarch64__)
  found.push_back(
      row_of_calls(request, "os.clock.counter", "reading the processor's counter", counter, read_counter));
#endif
  return found;
}

rows probe_yield(const probe::request& request) {
  return {row_of_calls(request, "os.yield", "yielding where no other thread waits", "sched_yield", yield,
                       gives_way::yes)};
}

rows probe_signal(const probe::request& request) {
  const own_signal handled;
  delivered = 0;
  auto row = row_of_calls(request, "os.signal", "a signal to itself, its handler and back", "pthread_kill",
                          signal_self);
  if (delivered == 0) throw failure({"no signal of the probe was delivered", ""});
  return {row};
}

}  // namespace ridge::backends::probe_host
