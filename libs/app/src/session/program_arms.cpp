// SPDX-License-Identifier: Apache-2.0
#include "session/program_arms.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/child_process.hpp>

#include "session/last_line.hpp"

namespace ridge::app {
namespace {

std::size_t first_difference(const std::string& a, const std::string& b) {
  const auto [at, _] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(at - a.begin());
}

// Runs a program to its end. Throws unavailable when it cannot be started.
host::finished_child started(const std::vector<std::string>& command, host::child_output streams) {
  auto done = host::run_program({.command = command, .output = streams, .errors = streams});
  if (std::holds_alternative<host::child_not_started>(done.outcome))
    throw unavailable(text(done.outcome), "give a program that can be executed");
  return done;
}

}  // namespace

program_arms::program_arms(std::vector<std::vector<std::string>> commands, bench_rules rules)
    : commands_(std::move(commands)), rules_(std::move(rules)) {}

const std::vector<model::metric>& program_arms::what() {
  static const std::vector<model::metric> all{
      {.name = "time", .unit = "s"}, {.name = "cpu_time", .unit = "s"}, {.name = "peak_memory", .unit = "B"}};
  return all;
}

void program_arms::prepare() const {
  if (rules_.prepare.empty()) return;
  const auto done = host::run_program({.command = {"/bin/sh", "-c", rules_.prepare}});
  if (!succeeded(done.outcome))
    throw program_failed(
        {fmt::format("--prepare \"{}\" ended with status {}", rules_.prepare, shell_status(done.outcome)),
         last_line(done.errors)});
}

void program_arms::check(std::size_t arm, int code, const std::string& output, const std::string& errors) {
  const auto name = join(commands_[arm], " ");
  if (code != 0 && !rules_.ignore_failure) {
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

void program_arms::try_each() {
  for (std::size_t arm = 0; arm < commands_.size(); ++arm) {
    prepare();
    const auto done = started(commands_[arm], host::child_output::capture);
    if (arm == 0) expected_ = done.output;
    check(arm, shell_status(done.outcome), done.output, done.errors);
  }
  if (rules_.verify_output) run_untimed(0);
}

void program_arms::run_untimed(std::size_t arm) { static_cast<void>(run(arm, 1)); }

harness::sample program_arms::run(std::size_t arm, std::uint64_t) {
  prepare();
  const auto done = started(commands_[arm],
                            rules_.verify_output ? host::child_output::capture : host::child_output::discard);
  check(arm, shell_status(done.outcome), done.output, done.errors);
  values_ = {done.wall_s, done.cpu_s, done.peak_bytes};
  return {.seconds = done.wall_s, .values = values_};
}

}  // namespace ridge::app
