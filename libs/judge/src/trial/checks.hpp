// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/session.hpp>
#include <ridge/judge/judge.hpp>
#include <ridge/model/comparison.hpp>

#include "trial/arms.hpp"
#include "trial/runner_process.hpp"

namespace ridge::judge {

// What a recheck of kept rounds found.
struct recheck_outcome {
  std::size_t rounds = 0, calls = 0;  // recomputed
  std::string wrong{};                // empty where nothing was wrong
};

// Everything from which the checks of a judgement follow.
struct trial_evidence {
  const harness::session_record& session;
  const trial_arms& arms;
  const runner_process& baseline;
  const runner_process& candidate;
  const recheck_outcome& rechecked;
  std::string_view method;  // of the recheck; empty: the experiment states nothing to check against
  std::size_t edge_problems = 0;
  bool edges = true;   // false: only the judged problem was computed before
  bool meter = false;  // whether interference was measured
  std::uint32_t threads = 1;
  double hand_over_s = 0;
  std::array<double, 2> reading_s{};  // trial_data::reading_s of both arms
  bool on_gpu = false;
  std::string damage{};  // bytes written outside arrays
};

// The parts of the sandbox in words.
[[nodiscard]] std::vector<sandbox_grant> grants_of(const sandbox_report& report);

// All checks of a judgement that came as far as a session.
[[nodiscard]] std::vector<model::check> checks_of(const trial_evidence& e);

// Sets verdict and assurance from the session and the checks: a failed check makes it INVALID, a missing
// oracle UNVERIFIED.
void conclude(judgement& made);

}  // namespace ridge::judge
