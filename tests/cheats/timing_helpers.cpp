// SPDX-License-Identifier: Apache-2.0
// Work that another thread, another process, a timer or a page fault does.
#include "timing.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <thread>

namespace ridge::cheats {
shared_half* map_shared_half() {
  void* start =
      ::mmap(nullptr, sizeof(shared_half), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return new (start) shared_half{};
}

void serve(shared_half& half) {
  use_all_processors();
  while (true) {
    const auto count = half.count.load(std::memory_order_acquire);
    if (count == 0) {
      std::this_thread::yield();
      continue;
    }
    arrays own{std::span(half.source).first(count), std::span(half.target).first(count)};
    costly_oracle(own);
    half.count.store(0, std::memory_order_release);
  }
}

void compute_with(shared_half& half, arrays& w) {
  const auto count = w.source.size() / 2;
  std::copy_n(w.source.begin(), count, half.source.begin());
  half.count.store(static_cast<std::uint32_t>(count), std::memory_order_release);
  costly_part(w, count, w.source.size());
  while (half.count.load(std::memory_order_acquire) != 0) {
  }
  std::copy_n(half.target.begin(), count, w.target.begin());
}

namespace {

// A thread that exists in the timing process only, where nothing is audited.
class unseen_thread {
 public:
  unseen_thread() {
    std::thread([this] { serve(); }).detach();
  }
  void compute(arrays& w, std::size_t first, std::size_t last) {
    work_ = &w, first_ = first, last_ = last;
    waiting_.store(true, std::memory_order_release);
  }
  void wait() const {
    while (waiting_.load(std::memory_order_acquire)) {
    }
  }

 private:
  void serve() {
    use_all_processors();
    while (true) {
      while (!waiting_.load(std::memory_order_acquire)) std::this_thread::yield();
      costly_part(*work_, first_, last_);
      waiting_.store(false, std::memory_order_release);
    }
  }
  arrays* work_ = nullptr;
  std::size_t first_ = 0, last_ = 0;
  std::atomic<bool> waiting_{false};
};

auto shares_with_an_unseen_thread(arrays&, setup&) {
  static unseen_thread* helper = nullptr;
  if (in_timing_process() && helper == nullptr) helper = new unseen_thread;
  return [](arrays& w, call& c) {
    if (!in_timing_process()) return costly(w, c);
    const auto half = w.source.size() / 2;
    helper->compute(w, 0, half);
    costly_part(w, half, w.source.size());
    helper->wait();
  };
}

shared_half* with_a_child() {
  auto* half = map_shared_half();
  if (::fork() == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    serve(*half);
  }
  return half;
}

auto shares_with_a_child(arrays&, setup&) {
  static shared_half* half = nullptr;
  if (in_timing_process() && half == nullptr) half = with_a_child();
  return [](arrays& w, call& c) { in_timing_process() ? compute_with(*half, w) : costly(w, c); };
}

// What a signal handler has to finish.
arrays pending{};
std::size_t pending_first = 0;
std::span<std::byte> closed_pages{};

void finish() {
  if (!pending.target.empty()) costly_part(pending, pending_first, pending.target.size());
  pending = {};
}

// Afterwards the signal does what it did before.
void on_timer(int signal) {
  finish();
  ::signal(signal, SIG_DFL);
}

void timer_finishes(arrays& w, call&) {
  finish();
  struct sigaction action {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  const auto first = w.source.size() / 4 * 3;
  costly_part(w, 0, first);
  pending = w, pending_first = first;
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 30}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
}

// The first access to the closed pages computes what lies in them and behind them.
void on_fault(int signal, siginfo_t* seen, void*) {
  const auto* address = static_cast<const std::byte*>(seen->si_addr);
  const bool ours = address >= closed_pages.data() && address < closed_pages.data() + closed_pages.size();
  if (!ours) {
    ::signal(signal, SIG_DFL);
    return;
  }
  ::mprotect(closed_pages.data(), closed_pages.size(), PROT_READ | PROT_WRITE);
  closed_pages = {};
  finish();
  ::signal(signal, SIG_DFL);
}

void computes_on_a_page_fault(arrays& w, call&) {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGSEGV, &action, nullptr);
  const auto pages = pages_inside(std::as_writable_bytes(w.target.last(w.target.size() / 2)));
  const auto first = static_cast<std::size_t>(reinterpret_cast<float*>(pages.data()) - w.target.data());
  costly_part(w, 0, first);
  pending = w, pending_first = first, closed_pages = pages;
  // What lies behind the whole pages is computed now, since nobody may touch them before it is read.
  const auto behind = first + pages.size() / sizeof(float);
  costly_part(w, behind, w.target.size());
  pending.source = w.source.first(behind), pending.target = w.target.first(behind);
  ::mprotect(pages.data(), pages.size(), PROT_NONE);
}

}  // namespace

std::vector<cheat> helper_cheats() {
  return {
      {"shares_with_an_unseen_thread",
       "Half of the work on a thread that only the timing process has",
       gain::time,
       {"cpu_time", "state", "memory", "no_gain"},
       "declared_threads",
       single<shares_with_an_unseen_thread>},
      {"shares_with_a_child",
       "Half of the work in a forked child, through shared memory",
       gain::time,
       {"cpu_time", "state", "no_gain"},
       "declared_threads",
       single<shares_with_a_child>},
      {"timer_finishes",
       "An interval timer's signal computes the last quarter after the call has returned",
       gain::time,
       {"timed_results", "refused", "state", "no_gain"},
       "restores_what_it_changed",
       lengthy<timer_finishes>},
      {"computes_on_a_page_fault",
       "Half of the results lie in closed pages and are computed when the harness reads them",
       gain::time,
       {"refused"},
       "restores_what_it_changed",
       single<computes_on_a_page_fault>},
  };
}

}  // namespace ridge::cheats
