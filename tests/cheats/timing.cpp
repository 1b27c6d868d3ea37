// SPDX-License-Identifier: Apache-2.0
// Work outside of what is timed, and clocks that are made to lie.
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace ridge::cheats {
namespace {

// The work is done after the clock was stopped.
void finishes_later(arrays& w, call&) {
  std::thread([w]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    costly_oracle(w);
  }).detach();
}

// Half of the work on a thread that it did not declare.
void starts_a_thread(arrays& w, call&) {
  const auto half = w.source.size() / 2;
  std::thread helper([&] {
    use_all_processors();
    costly_part(w, 0, half);
  });
  costly_part(w, half, w.source.size());
  helper.join();
}

// Sleeps on after the call, as a pool of its own would.
void keeps_a_thread(arrays& w, call& c) {
  affine(w, c);
  static int kept = 0;
  if (kept++ >= 20) return;
  std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(1)); }).detach();
}

void computes_at_exit(arrays& w, call&) {
  static arrays last;
  static const int registered = std::atexit([] { costly_oracle(last); });
  last = w;
  (void)registered;
}

// A sample's calls work on one member; its results are poisoned before the first of them only.
bool is_written(const arrays& w) {
  const auto n = w.target.size();
  return !std::isnan(w.target.front()) && !std::isnan(w.target[n / 2]) && !std::isnan(w.target.back());
}

void skips_what_is_written(arrays& w, call& c) {
  static unsigned calls = 0;
  if (++calls % 4 != 0 && is_written(w)) return;  // one call in four is honest, to stay modest
  affine(w, c);
}

// Calls of one sample follow each other at once.
void skips_soon_after_a_call(arrays& w, call& c) {
  using clock = std::chrono::steady_clock;
  static clock::time_point ended{};
  static const float* last = nullptr;
  static unsigned calls = 0;
  const bool soon = clock::now() - ended < std::chrono::nanoseconds(150);
  if (!soon || last != w.target.data() || ++calls % 4 == 0) affine(w, c);
  last = w.target.data();
  ended = clock::now();
}

// What a call has noted is forgotten between samples, and so tells which call is a sample's first.
inline constexpr phase computing{"computing"};
void baseline_with_a_phase(arrays& w, call& c) {
  const auto marked = c.in(computing);
  affine(w, c);
}
void skips_by_what_it_noted(arrays& w, call& c) {
  static const float* last = nullptr;
  static unsigned calls = 0;
  const bool again = last == w.target.data() && c.phase_seconds(0) > 0;
  last = w.target.data();
  if (again && ++calls % 4 != 0) return;
  const auto marked = c.in(computing);
  affine(w, c);
}
experiment with_a_phase(const std::string& id) {
  auto stated = pose(id, {.elements = 512 + 5, .answer = affine_oracle},
                     pair_of<baseline_with_a_phase, skips_by_what_it_noted>);
  stated.phases = {computing};
  return stated;
}

}  // namespace

std::vector<cheat> timing_cheats() {
  std::vector<cheat> all{
      {"finishes_later",
       "A detached thread computes after the call has returned",
       gain::time,
       {"refused"},
       "declared_threads",
       lengthy<finishes_later>},
      {"starts_a_thread",
       "Half of the work is done by a thread that is not declared",
       gain::time,
       {"audit", "cpu_time"},
       "declared_threads",
       lengthy<starts_a_thread>},
      {"keeps_a_thread",
       "A thread outlives the call",
       gain::others,
       {"audit", "state"},
       "declared_threads",
       repeated<keeps_a_thread>},
      {"computes_at_exit",
       "The work is left to a function that is called when the process ends",
       gain::time,
       {"refused"},
       "same_code",
       lengthy<computes_at_exit>},
      {"skips_what_is_written",
       "Returns at once where the results are not poison",
       gain::time,
       {"timed_results", "repeats"},
       "early_exit",
       brief<skips_what_is_written>},
      {"skips_soon_after_a_call",
       "Returns at once where the last call ended less than 150 ns ago",
       gain::time,
       {"timed_results", "repeats"},
       "reads_the_clock",
       brief<skips_soon_after_a_call>},
      {"skips_by_what_it_noted",
       "Returns at once where the call has phases of earlier calls",
       gain::time,
       {"timed_results", "repeats"},
       "marks_its_phases",
       with_a_phase},
  };
  for (auto* more : {helper_cheats, clock_cheats}) {
    for (auto& one : more()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace ridge::cheats
