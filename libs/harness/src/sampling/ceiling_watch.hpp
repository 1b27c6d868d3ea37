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

  // Reads the ceiling `id` beside the arm's samples from now on. The first reading, which prepares the gauge,
  // is taken at once and dropped.
  void watch(std::size_t arm, std::string id, host::team* team);
  // Called right after a sample of the arm; mostly does nothing.
  void sampled(std::size_t arm);
  // Forgets what was read so far: the warm-up is over.
  void restart();
  // The median of the arm's undisturbed readings; its rate is 0 with fewer than six of them. Disturbed where
  // more than a quarter of the readings were, or where they moved by more than a fifth.
  [[nodiscard]] ceiling_reading reading(std::size_t arm) const;
  // Reads the arm's ceiling once more, at once and for at most a tenth of a second: two dozen readings. Its
  // rate is 0 where the arm is not watched, or fewer than six readings succeed.
  [[nodiscard]] ceiling_reading read_again(std::size_t arm);

 private:
  struct seen {
    std::string id{};
    host::team* team = nullptr;
    std::vector<double> rates{};  // the undisturbed readings
    std::size_t lost = 0;         // readings that the gauge gave up as disturbed
  };
  const ceiling_gauge& gauge_;
  seconds_clock now_;
  std::vector<seen> arms_{};
  double began_s_ = 0, spent_s_ = 0;
};

}  // namespace ridge::harness
