// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ridge/model/run.hpp>

namespace ridge::harness {

// How far a run has come. Listeners hear of it between timed blocks only, on the runner's thread.
struct progress {
  std::string_view experiment{};
  std::string_view problem{};
  std::string_view stage{};         // "verify", "calibrate", "measure", "check"
  double fraction = 0;              // share of this family's budget that is used
  std::size_t done = 0, total = 0;  // number of families
  double remaining_s = 0;           // estimate for the whole run
};

// Hears how a run goes on. A listener may print, store or count; an exception from it ends the run.
class listener {
 public:
  virtual ~listener() = default;
  // The run begins; `header` has no families yet.
  virtual void run_started([[maybe_unused]] const model::run& header) {}
  // The run has gone on.
  virtual void advanced([[maybe_unused]] const progress& state) {}
  // The family is complete: measured, verified and judged.
  virtual void family_finished([[maybe_unused]] const model::run& header,
                               [[maybe_unused]] const model::family& f) {}
  // All families are done, or the run was ended.
  virtual void run_finished([[maybe_unused]] const model::run& whole) {}
  // Called between rounds; true ends the run after the present look, with the results so far.
  [[nodiscard]] virtual bool wants_stop() const { return false; }
};

}  // namespace ridge::harness
