// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <vector>

#include <unistd.h>

#include "cheats.hpp"

namespace ridge::cheats {
namespace {

// The work is done after the clock was stopped.
void finishes_later(workload& w, call&) {
  std::thread([w]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ranges::transform(w.source, w.target.begin(), answer);
  }).detach();
}

// Half of the work on a thread that it did not declare.
void starts_a_thread(workload& w, call& c) {
  const auto half = w.source.size() / 2;
  workload first{w.source.first(half), w.target.first(half)};
  workload second{w.source.subspan(half), w.target.subspan(half)};
  std::thread helper([&first, &c] { honest(first, c); });
  honest(second, c);
  helper.join();
}

// Sleeps on after the call, as a pool of its own would.
void keeps_a_thread(workload& w, call& c) {
  honest(w, c);
  std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(1)); }).detach();
}

// A workspace that `setup` would have counted.
void allocates(workload& w, call& c) {
  std::vector<float> workspace(w.source.begin(), w.source.end());
  asm volatile("" ::"r"(workspace.data()) : "memory");
  workload on{workspace, w.target};
  honest(on, c);
}

void crashes(workload&, call&) { std::raise(SIGSEGV); }
void leaves(workload&, call&) { ::_exit(0); }
void throws(workload&, call&) { throw std::runtime_error("this cheat throws"); }

inline constexpr observable latency{"latency"};

void observed_honestly(workload& w, call& c) {
  const auto from = c.now();
  honest(w, c);
  c.observe(latency, from, c.now());
}

// Makes a duration up, of one nanosecond.
void observed_as_it_likes(workload& w, call& c) {
  const auto from = c.now();
  honest(w, c);
  c.observe(latency, from, from.after(1e-9));
}

ladder<workload> self_reporting() {
  return {{.name = "honest", .is = role::baseline, .run = observed_honestly},
          {.name = "cheat", .run = observed_as_it_likes}};
}

cheat self_reports() {
  auto stated = question("self_reports", self_reporting);
  stated.metrics = {quantile(latency, 0.5)};
  stated.observed = {latency};
  return {std::move(stated), shows::by_watching, {"made up"}};
}

}  // namespace

std::vector<cheat> evasions() {
  constexpr auto here = shows::in_one_call;
  return {
      cheat_by<finishes_later>("finishes_later", here, {"never written", "thread"}),
      cheat_by<crashes>("crashes", here, {"SIGSEGV"}),
      cheat_by<leaves>("leaves", here, {"ended"}),
      cheat_by<throws>("throws", here, {"this cheat throws"}),
      cheat_by<starts_a_thread>("starts_a_thread", shows::by_watching, {"thread"}),
      cheat_by<keeps_a_thread>("keeps_a_thread", shows::by_watching, {"thread"}),
      cheat_by<allocates>("allocates", shows::by_watching, {"alloc"}),
      self_reports(),
  };
}

}  // namespace ridge::cheats
