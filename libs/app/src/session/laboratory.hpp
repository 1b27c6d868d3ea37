// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <ridge/harness/instruments.hpp>
#include <ridge/measure/clock.hpp>

namespace ridge::probe {
class gauge;
}  // namespace ridge::probe

namespace ridge::app {

// The composition root: chooses, calibrates and owns the instruments of this machine. The thread that
// measures makes and uses it.
class laboratory final {
 public:
  // `equip`, where it is not empty, may replace instruments of this machine by others that outlive this.
  explicit laboratory(const std::function<void(harness::instruments&)>& equip = {});
  ~laboratory();
  laboratory(const laboratory&) = delete;
  laboratory& operator=(const laboratory&) = delete;

  // Returns the instruments, which live as long as the laboratory.
  [[nodiscard]] const harness::instruments& instruments() const { return instruments_; }
  // Returns the clock of this laboratory.
  [[nodiscard]] measure::clock& clock() { return *clock_; }

  // Returns the ceilings of this machine: from the cache where they are younger than a day, else measured in
  // about a second and cached. It also provides the gauge that measures them again beside the samples. Only
  // commands that show shares of ceilings call it.
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

// Opens the first GPU that CUDA shows. Throws unavailable in a build without CUDA, and where there is no GPU.
[[nodiscard]] std::unique_ptr<device::device> open_cuda_device();

// Returns the invariant time stamp counter where there is one, else the steady clock of the system.
[[nodiscard]] std::unique_ptr<measure::clock> best_clock();

}  // namespace ridge::app
