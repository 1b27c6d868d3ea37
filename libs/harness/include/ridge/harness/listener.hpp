// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ridge/model/run.hpp>

namespace ridge::harness {

// Where a run stands; called between timed blocks only, on the runner's thread.
struct progress {
  std::string_view experiment{};
  std::string_view problem{};
  std::string_view stage{};         // "verify", "calibrate", "measure", "check"
  double fraction = 0;              // of this family's budget
  std::size_t done = 0, total = 0;  // families
  double remaining_s = 0;           // estimate for the whole run
};

// What a run tells the outside. A listener may print, store or count; the run goes on whatever it does, and
// an exception from it ends the run.
class listener {
 public:
  virtual ~listener() = default;
  virtual void run_started([[maybe_unused]] const model::run& header) {}
  virtual void advanced([[maybe_unused]] const progress& where) {}
  // The family is complete: measured, verified and judged.
  virtual void family_finished([[maybe_unused]] const model::run& header,
                               [[maybe_unused]] const model::family& f) {}
  virtual void run_finished([[maybe_unused]] const model::run& whole) {}
  // Asked between rounds; true ends the run after the present look, keeping what there is.
  [[nodiscard]] virtual bool wants_stop() const { return false; }
};

}  // namespace ridge::harness
