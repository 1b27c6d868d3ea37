// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <ridge/harness/ceilings.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/host/team.hpp>

namespace ridge::harness {

// Reads the ceilings of a family's arms right after their samples, on the same threads: where clocks and
// neighbours move the ceiling, it moves as the samples do. Takes 3 % of the session at most.
class ceiling_watch {
 public:
  using seconds_clock = std::function<double()>;
  ceiling_watch(const ceiling_gauge& gauge, seconds_clock now) : gauge_(gauge), now_(std::move(now)) {}

  // From now on. The first reading, which prepares the gauge, is taken at once and dropped.
  void watch(std::size_t arm, std::string id, host::team* on);
  // Right after a sample of the arm; mostly does nothing.
  void sampled(std::size_t arm);
  // What was read so far is forgotten: the warm-up is over.
  void restart();
  // The median of the arm's undisturbed readings; its rate is 0 with fewer than six of them. Disturbed where
  // more than a quarter of the readings were, or where they moved by more than a fifth.
  [[nodiscard]] ceiling_reading reading(std::size_t arm) const;

 private:
  struct seen {
    std::string id{};
    host::team* on = nullptr;
    std::vector<double> rates{};  // of undisturbed readings
    std::size_t lost = 0;         // readings that the gauge gave up as disturbed
  };
  const ceiling_gauge& gauge_;
  seconds_clock now_;
  std::vector<seen> arms_{};
  double began_s_ = 0, spent_s_ = 0;
};

}  // namespace ridge::harness
