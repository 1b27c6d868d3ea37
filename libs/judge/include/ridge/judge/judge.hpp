// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/comparison.hpp>

namespace ridge::judge {

// What is judged: the path of a shared object that exports the interface of <ridge/judge/candidate.h>, or the
// name of a variant of the experiment, which runs in the same way.
struct shared_object {
  std::filesystem::path path{};
};
struct own_variant {
  std::string name{};
};
using contender = std::variant<shared_object, own_variant>;

// How a judgement is made.
struct judge_options {
  double budget_s = 2;                                  // wall time of the rounds
  double time_limit_s = 10;                             // longest time of one request: loading, a sample
  std::uint64_t memory_limit = std::uint64_t{1} << 30;  // bytes that a runner may map beside the arrays
  std::uint64_t seed = 1;                               // of data and order
  double min_effect = 0.01;                             // the smallest effect that matters
  bool edges = true;                                    // whether the edge sizes are computed first
  model::backend backend{model::backend::cpu};          // where the variants run
  std::vector<std::string> runner{"/proc/self/exe", "judge-runner"};  // command that calls run_as_runner()
};

// Which part of the sandbox was granted.
struct sandbox_grant {
  std::string part{};
  bool granted = false;
  std::string refused{};  // why not, in the words of the system
};

// How a judgement ended.
struct judgement {
  std::string refused{};  // why the candidate gets no verdict; empty where it gets one
  model::verdict verdict{model::verdict::invalid};
  int assurance = 0;
  std::vector<model::check> checks{};
  std::vector<sandbox_grant> sandbox{};              // of the candidate's runner
  std::optional<harness::session_record> session{};  // arm 0 is the baseline; absent where it was refused
  std::uint64_t calls = 0;                           // in each sample of either arm
  double hand_over_s = 0;                            // what a sample of no calls takes
  std::uint64_t candidate_bytes = 0, candidate_digest = 0;  // of the shared object
  std::vector<int> cpus{};                                  // on which both ran
};

// Which functions of the interface a shared object exports, as far as its text tells: it is not loaded.
struct exported_entries {
  bool cpu = false, cuda = false;
};
// Reads the file. An error where it cannot be read.
[[nodiscard]] result<exported_entries> entries_of(const std::filesystem::path& object);

// Judges one candidate against the variant called `baseline` on one problem, with the instruments of this
// machine; for variants on a GPU `equipment.device` is that GPU, and `equipment.host` the host. Whatever the
// candidate does is a judgement. An error for what no candidate can be judged on (files, several GPUs,
// variants that stage their inputs, unknown names) and for a file that cannot be read. Throws failure where
// the machine fails the judge itself, or the baseline fails.
[[nodiscard]] result<judgement> judge(const contender& candidate, const experiment& entry, const problem& p,
                                      const std::string& baseline, const harness::instruments& equipment,
                                      const judge_options& options, const harness::session_watch& watch = {});

}  // namespace ridge::judge
