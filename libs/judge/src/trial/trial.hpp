// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/judge/judge.hpp>

#include "exchange/assignment.hpp"
#include "exchange/shared_memory.hpp"
#include "trial/runner_process.hpp"
#include "trial/trial_data.hpp"

namespace ridge::judge {

// A contender as its runner is told of it.
struct known_contender {
  arm_kind kind = arm_kind::candidate;
  std::size_t variant = 0;  // of arm_kind::variant
  std::string path{};
  std::shared_ptr<shared_memory> file{};  // of arm_kind::candidate: what was read of it, once
};

// What all parts of one trial need. The references outlive it.
struct trial {
  const experiment& entry;
  std::size_t baseline = 0;  // index of the variant
  const harness::instruments& equipment;
  const judge_options& options;
  known_contender candidate{};
  device::device* gpu = nullptr;  // where the variants run; null: on the processor
};

// The assignment of a runner on a problem: layout and limits of `laid_out`, and who runs.
[[nodiscard]] assignment assignment_for(const trial& t, const assignment& laid_out,
                                        const known_contender& who);

// The layout of a problem for this trial, with members up to `most_bytes` and `most_members`; an error where
// no candidate can be given its workload.
[[nodiscard]] result<assignment> layout_of(const trial& t, const problem& p,
                                           const std::vector<array_record>& arrays, std::size_t most_bytes,
                                           std::size_t most_members);

// The memory of a trial on a problem, whose layout and source outlive it. Throws failure where the machine
// refuses it.
[[nodiscard]] std::unique_ptr<trial_data> data_for(const trial& t, const problem& p, const assignment& given,
                                                   harness::judged_data& source);

// Starts the runner of a contender and has it enter the sandbox and load its code. The answer's `failed` says
// why it could not.
[[nodiscard]] std::unique_ptr<runner_process> start_runner(const trial& t, const assignment& given,
                                                           const known_contender& who, const trial_data& data,
                                                           std::string& failed);

// Computing edge sizes: how many problems were computed, and what was wrong with the last of them.
struct edge_outcome {
  std::size_t problems = 0;
  std::string wrong{};
  sandbox_report sandbox{};  // of the last process
};
// Has the candidate compute the judged problem and every edge size of the experiment, each in a process of
// its own, until one is wrong.
[[nodiscard]] edge_outcome compute_edges(const trial& t, const problem& judged);

}  // namespace ridge::judge
