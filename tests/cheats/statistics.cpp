// SPDX-License-Identifier: Apache-2.0
// Samples that are right one by one, and a comparison that is not.
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "cheats.hpp"
#include "questions.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridge::cheats {
namespace {

constexpr std::size_t side = std::size_t{1} << 18;
constexpr int kept = 4;
using side_buffer = std::array<float, side>;

void add_through(arrays& w, side_buffer& zeros) {
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; ++i) zeros[i] += series_answer<costly_steps>(w.source[i]);
  for (std::size_t i = 0; i < n; ++i) w.target[i] = zeros[i];
}
// Each call needs a buffer of zeros and clears it.
void clears_each_time(arrays& w, call&) {
  static side_buffer buffer;
  std::ranges::fill(buffer, 0.0F);
  add_through(w, buffer);
}
// The same clearing, all of it in every fourth call: the median of the ratios does not see it.
void clears_every_fourth_time(arrays& w, call&) {
  static std::array<side_buffer, kept> buffers;
  static int next = 0;
  if (next == 0) {
    for (auto& buffer : buffers) std::ranges::fill(buffer, 0.0F);
  }
  add_through(w, buffers[static_cast<std::size_t>(next)]);
  next = (next + 1) % kept;
}
experiment clears_rarely(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<clears_each_time, clears_every_fourth_time>);
}

std::atomic<bool> own_call{false};

void burn(int) {
  if (own_call.load(std::memory_order_relaxed)) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(15);
  while (std::chrono::steady_clock::now() < until) {
  }
}
// A timer's signal takes time from whoever runs, but not from the candidate.
void timer_slows_others(arrays& w, call& c) {
  own_call = true;
  static const bool started = [] {
    if (!in_timing_process()) return false;
    struct sigaction action {};
    action.sa_handler = burn;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGALRM, &action, nullptr);
    const itimerval often{.it_interval = {.tv_sec = 0, .tv_usec = 50},
                          .it_value = {.tv_sec = 0, .tv_usec = 50}};
    return ::setitimer(ITIMER_REAL, &often, nullptr) == 0;
  }();
  (void)started;
  costly(w, c);
  own_call = false;
}

// Keeps the memory busy while the candidate does not run.
void stream_memory() {
  use_all_processors();
  std::vector<float> large(std::size_t{8} << 20);
  while (true) {
    for (std::size_t i = 0; i < large.size() && !own_call.load(std::memory_order_relaxed); i += 16)
      large[i] += 1;
    if (own_call.load(std::memory_order_relaxed)) std::this_thread::yield();
  }
}
auto disturbs_others_by_a_thread(arrays&, setup&) {
  static const bool started = [] {
    if (in_timing_process()) std::thread(stream_memory).detach();
    return true;
  }();
  (void)started;
  return [](arrays& w, call& c) {
    own_call = true;
    affine(w, c);
    own_call = false;
  };
}

void leaves_wide_registers_full(arrays& w, call& c) {
  costly(w, c);
  fill_wide_registers();
}

#if defined(__x86_64__)
// After each of its calls, a thread removes the source from the caches before the next arm reads it.
std::atomic<const arrays*> to_flush{nullptr};
void flush_sources() {
  use_all_processors();
  while (true) {
    const auto* w = to_flush.exchange(nullptr);
    if (w == nullptr) {
      std::this_thread::yield();
      continue;
    }
    for (std::size_t i = 0; i < w->source.size(); i += 16) _mm_clflush(&w->source[i]);
    for (std::size_t i = 0; i < w->target.size(); i += 16) _mm_clflush(&w->target[i]);
  }
}
auto flushes_by_a_thread(arrays&, setup&) {
  static const bool started = [] {
    if (in_timing_process()) std::thread(flush_sources).detach();
    return true;
  }();
  (void)started;
  return [](arrays& w, call& c) {
    affine(w, c);
    if (in_timing_process()) to_flush = &w;
  };
}
#endif

}  // namespace

std::vector<cheat> statistics_cheats() {
  return {
    {"clears_rarely", "Saves its upkeep up for every fourth call, which the median does not see",
     gain::time,      {"mean", "no_gain"},
     "side_buffer",   clears_rarely},
        {"timer_slows_others",
         "A timer's signal takes time from whoever runs except the candidate",
         gain::time,
         {"state", "cpu_time"},
         "restores_what_it_changed",
         single<timer_slows_others>},
        {"disturbs_others_by_a_thread",
         "A thread keeps the memory busy while others run",
         gain::time,
         {"cpu_time", "state", "no_gain"},
         "declared_threads",
         of_memory<disturbs_others_by_a_thread>},
        {"leaves_wide_registers_full",
         "Leaves the upper halves of vector registers in use, which slows others",
         gain::time,
         {"no_gain", "state"},
         "vectors_with_a_tail",
         single<leaves_wide_registers_full>},
#if defined(__x86_64__)
        {"flushes_by_a_thread",
         "A thread removes the source from the caches after each of its calls",
         gain::time,
         {"cpu_time", "state", "audit", "no_gain"},
         "declared_threads",
         of_memory<flushes_by_a_thread>,
         "the audit runs in a child that has no such thread",
         true},
#endif
  };
}

}  // namespace ridge::cheats
