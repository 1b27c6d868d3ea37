// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/harness/protocol.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

#include "session/session_family.hpp"

namespace ridge::app {

// What is measured when the arms are not variants of an experiment, but programs or builds.
struct contest {
  std::vector<arm_name> names{};         // one per arm; the first arm is the reference
  std::vector<model::metric> metrics{};  // what each sample has values of; the first one decides
  harness::protocol protocol{};
  std::string_view counted{"rounds"};                      // what the progress line counts
  std::string label{};                                     // begins the progress line; empty: none
  harness::wall_clock clock = harness::monotonic_seconds;  // what the budget is counted on
};

// Measures the arms interleaved, the first against every other, and shows the progress on stderr. It ends
// early, with what is finished, where the process is interrupted under an interrupt_guard. Returns one
// family; its experiment and title are left to the caller.
[[nodiscard]] model::family measure_contest(const context& program, const contest& contest,
                                            harness::contestants& arms);

// Prints a run in a format (a word of formats()) and writes it to a JSON file, unless that path is empty.
void show_and_save_run(const context& program, const model::run& run, const std::string& format,
                       const std::string& path);

}  // namespace ridge::app
