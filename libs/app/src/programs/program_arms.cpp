// SPDX-License-Identifier: Apache-2.0
#include "programs/program_arms.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/measure/child_events.hpp>

#include "programs/run_until_interrupt.hpp"
#include "session/last_line.hpp"

namespace ridge::app {
namespace {

constexpr std::uint64_t fewest_rounds = 6;

std::size_t first_difference(const std::string& a, const std::string& b) {
  const auto [at, _] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(at - a.begin());
}

std::vector<std::string> with_line(std::vector<std::string> shell, const std::string& line) {
  shell.push_back(line);
  return shell;
}

// Throws program_failed where a line of the user has failed.
void expect_success(const std::string& option, const std::string& line, const host::finished_child& done) {
  if (succeeded(done.outcome)) return;
  if (std::holds_alternative<host::child_timed_out>(done.outcome))
    throw program_failed({fmt::format("{} \"{}\" was killed: it did not end within {:.0f} s of the interrupt",
                                      option, line, clean_up_limit_s),
                          "what it leaves behind has to be removed by hand"});
  throw program_failed(
      {fmt::format("{} \"{}\" ended with status {}", option, line, shell_status(done.outcome)),
       last_line(done.errors)});
}

}  // namespace

void run_line(const std::vector<std::string>& shell, const std::string& option, const std::string& line) {
  if (line.empty()) return;
  const auto done = run_until_interrupt({.command = with_line(shell, line)});
  if (!interrupted()) expect_success(option, line, done);
}

void run_clean_up(const std::vector<std::string>& shell, const std::string& option, const std::string& line) {
  if (line.empty()) return;
  expect_success(option, line, run_past_interrupt({.command = with_line(shell, line)}));
}

void do_then_clean_up(const std::function<void()>& begun, const std::function<void()>& clean_up) {
  try {
    begun();
  } catch (const program_failed& first) {
    try {
      clean_up();
    } catch (const program_failed& second) {
      throw program_failed({first.why().message + "; " + second.why().message, first.why().remedy});
    }
    throw;
  } catch (...) {
    clean_up();
    throw;
  }
  clean_up();
}

program_arms::program_arms(std::vector<program_line> programs, bench_rules rules,
                           const measure::child_events* events)
    : programs_(std::move(programs)), rules_(std::move(rules)), events_(events) {
  metrics_ = {
      {.name = "time", .unit = "s"}, {.name = "cpu_time", .unit = "s"}, {.name = "peak_memory", .unit = "B"}};
  if (events_ != nullptr)
    for (const auto& name : events_->names()) metrics_.push_back({.name = name, .unit = ""});
  runs_.resize(programs_.size());
}

// Runs a program to its end. Throws unavailable when it cannot be started.
host::finished_child program_arms::finished(const program_line& program, host::child_output streams) const {
  const bool passes = streams == host::child_output::pass;
  auto done = run_until_interrupt(
      {.command = program.words,
       .output = streams,
       .errors = passes && !program.output_file.empty() ? host::child_output::discard : streams,
       .input_file = rules_.input_file,
       .output_file = passes ? program.output_file : "",
       .folder = program.folder});
  if (std::holds_alternative<host::child_not_started>(done.outcome))
    throw unavailable(text(done.outcome), "give a program that can be executed");
  return done;
}

// Prepares and runs a program; nothing where an interrupt ends that.
std::optional<host::finished_child> program_arms::prepared_run(const program_line& program,
                                                               host::child_output streams) const {
  run_line(rules_.shell, "--prepare", program.prepare);
  std::optional<host::finished_child> done;
  if (!interrupted()) done = finished(program, streams);
  return interrupted() ? std::nullopt : done;
}

void program_arms::check(std::size_t arm, int code, const std::string& output, const std::string& errors) {
  const auto& name = programs_[arm].name;
  const bool ignored = rules_.ignore_failure &&
                       (rules_.ignored_codes.empty() || std::ranges::count(rules_.ignored_codes, code) > 0);
  if (code != 0 && !ignored) {
    throw program_failed({fmt::format("\"{}\" ended with status {}{}", name, code,
                                      errors.empty() ? "" : ": " + last_line(errors)),
                          "pass --ignore-failure to measure it nevertheless"});
  }
  if (!rules_.verify_output || output == expected_) return;
  throw program_failed(
      {fmt::format("the output of \"{}\" differs from that of the first program, first at byte {}", name,
                   first_difference(expected_, output)),
       arm == 0 ? "its own output changes from run to run: omit --verify-output"
                : "programs are compared only when they print the same"});
}

void program_arms::conclude(std::size_t arm) const {
  run_clean_up(rules_.shell, "--conclude", programs_[arm].conclude);
}

void program_arms::try_each() {
  for (std::size_t arm = 0; arm < programs_.size(); ++arm) {
    const auto try_it = [&] {
      const auto done = prepared_run(programs_[arm], host::child_output::capture);
      if (!done) throw interrupted_early();
      if (arm == 0) expected_ = done->output;
      check(arm, shell_status(done->outcome), done->output, done->errors);
    };
    do_then_clean_up(try_it, [&] { conclude(arm); });
  }
  if (rules_.verify_output) run_untimed(0);
}

void program_arms::run_untimed(std::size_t arm) { static_cast<void>(run(arm, 1)); }

void program_arms::warmed_up() {
  for (auto& one : runs_) one.clear();
  timed_ = true;
  rounds_ = 0;
  start_s_ = harness::monotonic_seconds();
}

harness::sample program_arms::run(std::size_t arm, std::uint64_t) {
  const auto& program = programs_[arm];
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  values_.assign(metrics_.size(), none);
  const auto before = events_ != nullptr ? events_->read() : std::vector<measure::counter_value>{};
  std::optional<host::finished_child> done;
  const auto run_it = [&] {
    done = prepared_run(program, rules_.verify_output ? host::child_output::capture : program.output);
    if (done) check(arm, shell_status(done->outcome), done->output, done->errors);
  };
  if (!interrupted()) do_then_clean_up(run_it, [&] { conclude(arm); });
  if (!done) {
    if (!timed_ || rounds_ < fewest_rounds) throw interrupted_early();
    return {.seconds = none, .values = values_};
  }
  const int code = shell_status(done->outcome);
  values_ = {done->wall_s, done->cpu_s, done->peak_bytes};
  if (events_ != nullptr) {
    const auto after = events_->read();
    for (std::size_t i = 0; i < after.size(); ++i) values_.push_back(after[i].value - before[i].value);
  }
  runs_[arm].push_back({done->wall_s, done->user_s, done->system_s, done->peak_bytes, code});
  return {.seconds = done->wall_s, .values = values_};
}

bool program_arms::end_round(std::uint64_t) {
  if (!interrupted()) ++rounds_;
  return false;
}

bool program_arms::stop_requested() const { return interrupted(); }

double program_arms::budget_seconds() const {
  const double elapsed = harness::monotonic_seconds() - start_s_;
  if (!timed_) return elapsed;
  const auto share_of = [&](std::uint64_t runs) {
    return rules_.budget_s * static_cast<double>(rounds_) / static_cast<double>(runs);
  };
  if (rules_.most_runs > 0 && rounds_ >= rules_.most_runs) return 2 * rules_.budget_s;
  double counted = elapsed;
  if (rules_.most_runs > 0) counted = std::max(counted, share_of(rules_.most_runs));
  if (rules_.least_runs > 0) counted = std::min(counted, share_of(rules_.least_runs));
  return counted;
}

}  // namespace ridge::app
