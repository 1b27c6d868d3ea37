// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/base/error.hpp>
#include <ridge/harness/runner.hpp>

#include "session/forked_run.hpp"
#include "session/laboratory.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {

// Why nothing can be measured, and the exit code that says so.
struct refusal {
  error why;
  int code = 0;
};

// One measurement of experiments on this machine, as `run`, `compare` and `roofline` make it: planned,
// without what needs a GPU that is not here, in one process or in several. Owns the instruments.
class experiment_session final {
 public:
  // `words` are the command line of a process that measures one of the experiments, for runs in several
  // processes.
  experiment_session(const context& program, std::vector<experiment> experiments, child_words words);

  // Plans what the settings ask for. Returns a refusal when they cannot be understood or leave nothing to
  // measure.
  [[nodiscard]] std::optional<refusal> prepare(const run_settings& settings);

  // Measures what was prepared and tells the listener; ends early, with what is finished, when it wants to
  // stop.
  [[nodiscard]] model::run measure(harness::listener& listener);

  // What the harness is asked to do; complete after prepare().
  [[nodiscard]] const harness::run_options& options() const { return options_; }

 private:
  [[nodiscard]] refusal nothing_planned() const;
  const context& program_;
  std::vector<experiment> experiments_;
  child_words words_;
  harness::run_options options_{};
  std::vector<harness::planned_family> families_{};
  std::string missing_gpu_{};
  laboratory laboratory_{};
};

}  // namespace ridge::app
