// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace ridge::harness {

// The result of one timed sample of an arm: seconds of all n calls together, and each metric's value per
// call.
struct sample {
  double seconds = 0;
  std::span<const double> values{};  // one per metric; valid until the next call
};

// One place of a round: an arm and how many calls its sample holds.
struct turn {
  std::size_t arm = 0;
  std::uint64_t n = 1;
};

// What the paired protocol measures: arms that run n calls at a time on the same data. One thread uses it.
class contestants {
 public:
  virtual ~contestants() = default;
  // Number of arms, and of values that a sample holds.
  [[nodiscard]] virtual std::size_t arms() const = 0;
  [[nodiscard]] virtual std::size_t metrics() const { return 1; }
  // Whether a sample may hold more than one call (decision 0020).
  [[nodiscard]] virtual bool may_loop() const { return true; }
  // Called when calibration and warm-up are over: whatever was recorded so far should not count.
  virtual void warmed_up() {}
  // Untimed: chooses this round's data for every arm alike.
  virtual void begin_round([[maybe_unused]] std::uint64_t round) {}
  // Takes one sample of n calls: prepares untimed, times the calls, checks untimed.
  [[nodiscard]] virtual sample run(std::size_t arm, std::uint64_t n) = 0;
  // Takes the samples of a round's turns in order and passes each to `taken`, in the same order.
  virtual void run_turns(std::span<const turn> turns, const std::function<void(const sample&)>& taken) {
    for (const auto& next : turns) taken(run(next.arm, next.n));
  }
  // Asked after every round: true ends the session with what it has, where that suffices for an interval.
  [[nodiscard]] virtual bool stop_requested() const { return false; }
  // Ends the round. True where something else disturbed it; its samples are kept and marked.
  [[nodiscard]] virtual bool end_round([[maybe_unused]] std::uint64_t round) { return false; }
};

}  // namespace ridge::harness
