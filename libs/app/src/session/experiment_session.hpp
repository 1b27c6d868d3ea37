// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/base/error.hpp>
#include <ridge/harness/runner.hpp>

#include "session/edge_cache.hpp"
#include "session/forked_run.hpp"
#include "session/laboratory.hpp"
#include "session/missing_libraries.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {

// Why nothing can be measured, and the exit code for it.
struct refusal {
  error why;
  int code = 0;
};

// One measurement of experiments on this machine, as `run`, `compare`, `roofline`, `verify` and `selftest`
// make it: it plans families, leaves out what needs a GPU that is missing, and verifies or measures, in one
// process or in several. It owns the instruments.
class experiment_session final {
 public:
  // `words` returns the command line of a process that measures one of the experiments, for runs in several
  // processes.
  experiment_session(const context& program, std::vector<experiment> experiments, child_words words);

  // Plans what the settings ask for. Returns a refusal when they cannot be understood or leave nothing to
  // measure.
  [[nodiscard]] std::optional<refusal> prepare(const run_settings& settings);

  // Plans every edge size of the experiments and the first problem that a run would measure, or the values
  // that the settings give an axis instead, for verify(); where edges are all that is wanted, without that
  // problem.
  // Returns a refusal when the settings cannot be understood or leave nothing to verify.
  [[nodiscard]] std::optional<refusal> prepare_verification(const run_settings& settings,
                                                            bool edges_only = false);
  // Verifies the planned problems of one of the experiments, those of the CPU first, and returns what was
  // seen; `started` is called before each problem on the CPU, and once before those on the GPU. It ends early
  // where the process is interrupted under an interrupt_guard.
  [[nodiscard]] std::vector<model::family> verify(
      const experiment& entry, const std::function<void(const harness::planned_family& first)>& started);
  // Measures what was prepared and reports to the listener; first warns on stderr of a build whose figures do
  // not count. Ends early, with what is finished, when the
  // listener wants to stop.
  [[nodiscard]] model::run measure(harness::listener& listener);

  // Returns the problems that were planned.
  [[nodiscard]] const std::vector<harness::planned_family>& families() const { return families_; }
  // Returns how many problems were left out for want of a GPU, and why; empty when none was.
  [[nodiscard]] const std::string& missing_gpu() const { return missing_gpu_; }
  // What is known of variants at edge sizes; lives as long as the session.
  [[nodiscard]] harness::edge_record& edges() { return edges_; }
  // Returns the libraries that variants of the planned problems need and this machine lacks.
  [[nodiscard]] std::set<std::string> missing_libraries() const {
    return app::missing_libraries(families_, laboratory_.instruments());
  }
  // Returns what the harness is asked to do; complete after prepare().
  [[nodiscard]] const harness::run_options& options() const { return options_; }

 private:
  [[nodiscard]] refusal nothing_planned() const;
  void add_libraries(model::environment& environment) const;
  [[nodiscard]] std::optional<refusal> without_missing_gpu();
  const context& program_;
  std::vector<experiment> experiments_;
  child_words words_;
  harness::run_options options_{};
  std::vector<harness::planned_family> families_{};
  std::string missing_gpu_{};
  laboratory laboratory_;
  edge_cache edges_;
};

}  // namespace ridge::app
