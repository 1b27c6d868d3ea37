// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/run.hpp>

#include "programs/program_arms.hpp"

namespace ridge::app {

// All timed runs of one program with one combination of parameters.
struct program_result {
  std::string name{};
  model::problem_point point{};
  std::vector<program_run> runs{};
};

// Return results in the layout of the files that hyperfine 1.18 writes with --export-json and --export-csv,
// so that scripts which read those read these: times in seconds, means and standard deviations beside
// medians.
[[nodiscard]] std::string hyperfine_json(const std::vector<program_result>& results);
[[nodiscard]] std::string hyperfine_csv(const std::vector<program_result>& results);

}  // namespace ridge::app
