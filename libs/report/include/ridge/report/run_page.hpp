// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/model/run.hpp>

namespace ridge::report {

// Returns a page about one or several runs as one HTML file: summary, tables with intervals and verdicts,
// plots, every check with its text, the environment, and the command that repeats the run. It loads nothing
// and runs no script, so that it opens anywhere; it is light or dark as the system of the reader is. Every
// text of the runs is escaped. Bug: no run.
[[nodiscard]] std::string run_page(std::span<const model::run> runs);

// Returns the command line that repeats a run on the same data and in the same order, quoted for a shell.
[[nodiscard]] std::string replay_command(const model::run& run);

}  // namespace ridge::report
