// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/judge/judge.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// A judgement with everything that a reader needs to repeat or doubt it.
struct published_judgement {
  model::run header{};  // id, time, command line, seed, environment
  std::string experiment{};
  std::string baseline{};
  std::string candidate{};
  std::vector<std::string> compile_flags{};  // of a source; empty for a shared object
  model::problem_point problem{};
  judge::judge_options options{};
  judge::judgement judged{};
};

// Returns the comparison of the arms, of seconds per call, with the verdict of the judgement. Both functions
// need a session.
[[nodiscard]] model::comparison judged_comparison(const published_judgement& published);
// Returns the median of an arm's seconds per call with its interval; arm 0 is the baseline.
[[nodiscard]] model::estimate judged_time(const published_judgement& published, std::size_t arm);

// Returns ridge.judgement/1, indented, with every check, the sandbox, the environment and all samples.
[[nodiscard]] std::string judgement_json(const published_judgement& published);

}  // namespace ridge::app
