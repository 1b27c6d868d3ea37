// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ridge/harness/instruments.hpp>
#include <ridge/measure/clock.hpp>

namespace ridge::probe {
class gauge;
}  // namespace ridge::probe

namespace ridge::app {

// The composition root: the instruments of this machine, chosen, calibrated and owned. Made and used by one
// thread, the one that measures.
class laboratory final {
 public:
  laboratory();
  ~laboratory();
  laboratory(const laboratory&) = delete;
  laboratory& operator=(const laboratory&) = delete;

  [[nodiscard]] const harness::instruments& instruments() const { return instruments_; }
  [[nodiscard]] measure::clock& clock() { return *clock_; }

  // Ceilings of this machine: from the cache where they are younger than a day, else measured in about a
  // second and kept there; with them the gauge that reads them again beside the samples. Only for commands
  // that show shares of them.
  const model::peak& load_ceilings();

 private:
  std::unique_ptr<measure::clock> clock_;
  std::unique_ptr<device::device> device_;
  std::unique_ptr<measure::interference_meter> interference_;
  std::unique_ptr<measure::counters> counters_;
  std::unique_ptr<measure::energy_meter> energy_;
  std::optional<model::peak> peak_;
  std::unique_ptr<probe::gauge> gauge_;
  harness::instruments instruments_;
};

// The invariant time stamp counter where there is one, else the system's steady clock.
[[nodiscard]] std::unique_ptr<measure::clock> best_clock();

}  // namespace ridge::app
