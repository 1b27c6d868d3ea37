// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/harness/contestants.hpp>
#include <ridge/host/child_process.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::measure {
class child_events;
}  // namespace ridge::measure

namespace ridge::app {

// A program ended with another status, or printed another output, than it should.
class program_failed final : public failure {
 public:
  explicit program_failed(error why, caller place = caller::here()) : failure(std::move(why), place) {}
};

// The call was interrupted before there were enough rounds for a result.
class interrupted_early final : public failure {
 public:
  explicit interrupted_early(caller place = caller::here())
      : failure({"interrupted before six rounds were measured", ""}, place) {}
};

// One program of `ridge bench`: its command line, the lines that run around each of its runs, and its output.
struct program_line {
  std::string name{};
  std::vector<std::string> words{};
  std::string prepare{};   // before every run, untimed; empty: none
  std::string conclude{};  // after every run, untimed; empty: none
  host::child_output output = host::child_output::discard;
  std::string output_file{};
  std::string folder{};  // where it starts; empty: the working folder
};

// How programs are run, what their results must be, and how many runs are wanted.
struct bench_rules {
  std::vector<std::string> shell{"/bin/sh", "-c"};  // runs the lines around the programs
  std::string input_file{};                         // stdin of every program; empty: nothing
  bool verify_output = false;
  bool ignore_failure = false;
  std::vector<int> ignored_codes{};  // with ignore_failure: only these; empty: any
  double budget_s = 0;
  std::uint64_t least_runs = 0, most_runs = 0;  // 0: no bound
};

// What is known of one run.
struct program_run {
  double wall_s = 0, user_s = 0, system_s = 0, peak_bytes = 0;
  int status = 0;
};

// Runs a shell line of the user and throws program_failed when it fails; `option` is what it was given to.
// A line that an interrupt ends has not failed.
void run_line(const std::vector<std::string>& shell, const std::string& option, const std::string& line);
// Does the same with a line that cleans up: an interrupt does not end it, see run_past_interrupt(), and it
// may fail after one.
void run_clean_up(const std::vector<std::string>& shell, const std::string& option, const std::string& line);

// Does what was begun to its end, then cleans up, also where the former failed. Throws what failed; where
// both have failed, one program_failed names both.
void do_then_clean_up(const std::function<void()>& begun, const std::function<void()>& clean_up);

// Programs as arms of the paired protocol: one call is one process, timed by its parent. An interrupt kills
// the running program within a fifth of a second; with six rounds or more, the rest of the session is empty
// samples (NaN), which drop_unfinished_rounds() removes.
class program_arms final : public harness::contestants {
 public:
  // `events`, where not null, counts what its children do.
  program_arms(std::vector<program_line> programs, bench_rules rules, const measure::child_events* events);

  // Returns the metrics of a run: time, cpu time, peak memory, then the events.
  [[nodiscard]] const std::vector<model::metric>& what() const { return metrics_; }
  // Returns the timed runs of each program so far.
  [[nodiscard]] const std::vector<std::vector<program_run>>& runs() const { return runs_; }

  // Runs every program once, untimed, and keeps what it prints; with verify_output the first one twice.
  // Throws program_failed when one fails or its output differs from that of the first.
  void try_each();
  // Runs a program once and discards its times.
  void run_untimed(std::size_t arm);
  // Returns the seconds that count against the budget: those since the warm-up, held back until least_runs
  // are made, and advanced to the end when most_runs are.
  [[nodiscard]] double budget_seconds() const;

  [[nodiscard]] std::size_t arms() const override { return programs_.size(); }
  [[nodiscard]] std::size_t metrics() const override { return metrics_.size(); }
  [[nodiscard]] bool may_loop() const override { return false; }
  void warmed_up() override;
  [[nodiscard]] harness::sample run(std::size_t arm, std::uint64_t n) override;
  [[nodiscard]] bool end_round(std::uint64_t round) override;
  [[nodiscard]] bool stop_requested() const override;

 private:
  [[nodiscard]] host::finished_child finished(const program_line& program, host::child_output streams) const;
  [[nodiscard]] std::optional<host::finished_child> prepared_run(const program_line& program,
                                                                 host::child_output streams) const;
  void conclude(std::size_t arm) const;
  void check(std::size_t arm, int code, const std::string& output, const std::string& errors);
  std::vector<program_line> programs_;
  bench_rules rules_;
  const measure::child_events* events_;
  std::vector<model::metric> metrics_{};
  std::vector<std::vector<program_run>> runs_{};
  std::string expected_{};
  std::vector<double> values_{};
  bool timed_ = false;
  std::uint64_t rounds_ = 0;
  double start_s_ = 0;
};

}  // namespace ridge::app
