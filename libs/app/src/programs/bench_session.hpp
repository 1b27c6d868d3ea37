// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/model/run.hpp>

#include "programs/hyperfine_files.hpp"
#include "programs/program_plan.hpp"

namespace ridge::app {

// How the programs of `ridge bench` are measured.
struct bench_protocol {
  bench_rules rules{};
  std::vector<std::string> shell{};   // measured and stated where it is not empty
  std::vector<std::string> events{};  // names of perf events
  int warmup = 1;
  double min_effect = 0.01;
  std::uint64_t seed = 1;
};

// Measures problems one after another, the programs of each interleaved. It ends early, with the problems
// that are finished, where the process is interrupted under an interrupt_guard.
class bench_session final {
 public:
  bench_session(const context& program, bench_protocol protocol);
  ~bench_session();
  bench_session(const bench_session&) = delete;
  bench_session& operator=(const bench_session&) = delete;

  // Measures the problems. Throws program_failed and unavailable; what was finished before is kept.
  void measure(const std::vector<program_problem>& problems);
  // Returns one family for each problem that measure() finished.
  [[nodiscard]] const std::vector<model::family>& families() const { return families_; }
  // Returns the runs of what measure() finished.
  [[nodiscard]] const std::vector<program_result>& results() const { return results_; }
  // Returns the events that were asked for and that no backend knows, with the reason; empty: all are known.
  [[nodiscard]] std::vector<std::string> unknown_events() const;

 private:
  [[nodiscard]] model::family measured(const program_problem& problem, const std::string& label);
  void measure_one(const program_problem& problem, const std::string& label, const std::string& shell);
  void clean_up(const program_problem& problem) const;
  [[nodiscard]] std::string shell_start() const;
  void note_refused_events(model::family& family) const;
  const context& program_;
  bench_protocol protocol_;
  std::unique_ptr<measure::child_events> events_;
  std::vector<model::family> families_{};
  std::vector<program_result> results_{};
};

}  // namespace ridge::app
