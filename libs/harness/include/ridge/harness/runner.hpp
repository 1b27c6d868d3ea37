// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/listener.hpp>
#include <ridge/harness/mode.hpp>
#include <ridge/harness/protocol.hpp>
#include <ridge/harness/requirements.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// How thorough a run is (decision 0022). The profile's budget is per arm; the protocol's `budget_s` covers
// the family: k arms get k times `budget_per_arm_s`.
struct profile {
  std::string name{"standard"};
  double budget_per_arm_s = 1.0;
  bool every_problem = true;  // false: the first value of each axis
  int forks = 1;
  bool counters = false;
  // Further modes to measure on a GPU besides cold samples; `graph` is always measured for calls under 20 us.
  std::vector<mode> modes{};
};
// The mode called "warm", "graph" or "latency"; "cold" is no answer, since it is always measured.
[[nodiscard]] result<mode> mode_named(std::string_view text);
// The profile called "minimal", "standard" or "deep".
[[nodiscard]] result<profile> profile_named(std::string_view name);

// Values that replace those of an axis: "elements=2^20..26:2", "dtype=fp32,bf16", "n=64".
struct axis_override {
  std::string axis{};
  std::vector<model::axis_value> values{};
};
// The override that `text` states, in the form above.
[[nodiscard]] result<axis_override> parse_axis_override(std::string_view text);

struct run_options {
  harness::profile profile{};
  harness::protocol protocol{};
  std::vector<axis_override> axes{};
  std::vector<std::string> variants{};  // globs; empty: all. The baseline always takes part
  std::optional<model::backend> backend{};
  double suite_budget_s = 0;  // 0: none; else the families share it
  bool memory_pass = true;    // off only in the self-test of the harness
  bool audit_pass = true;
};

// One problem of one experiment on one backend, to be measured as a family.
struct planned_family {
  experiment of;
  ridge::problem at;
  model::backend backend{model::backend::cpu};
};

// The families a run of these experiments would measure, in order. An override naming an axis that none of
// the experiments has, or a value of another type, is an error.
[[nodiscard]] result<std::vector<planned_family>> plan(const std::vector<experiment>& experiments,
                                                       const run_options& options);

// Verifies, then measures one family. A variant that is wrong, skipped or crashes is recorded, never timed;
// the family is complete whatever happens to its variants. Throws only when the machine or a file fails the
// harness itself.
[[nodiscard]] model::family measure_family(const planned_family& family, const instruments& equipment,
                                           const run_options& options, const session_watch& watch = {});

// Verifies each variant of the family and times nothing.
[[nodiscard]] model::family verify_family(const planned_family& family, const instruments& equipment,
                                          const run_options& options);

// Verifies families of the CUDA backend, one after the other in a child process that opens the GPU.
[[nodiscard]] std::vector<model::family> verify_gpu_families(std::span<const planned_family> families,
                                                             const instruments& equipment,
                                                             const run_options& options);

// Sessions of one variant against itself, to see how often identical code is told apart.
struct control_trials {
  std::string skipped{};              // why there are no sessions
  std::vector<interval> intervals{};  // interval of the ratio in each session; the true ratio is 1
  std::vector<double> ratios{};
};

// Runs `trials` sessions of `seconds_each` on one bound variant of a family of the CUDA backend, in a child
// process that opens the GPU; the variant is verified first.
[[nodiscard]] control_trials gpu_control_trials(const planned_family& family, std::string_view variant,
                                                const instruments& equipment, const run_options& options,
                                                double seconds_each, std::size_t trials);

// Why no family of the CUDA backend can run here; empty when they can. Opens the GPU in a child process to
// find out.
[[nodiscard]] std::string gpu_unavailable_because(const instruments& equipment);

// Measures all planned families in order and tells `observer` after each; a suite budget is shared among the
// families still to come.
// `header` holds id, environment and command, and comes back with the families.
[[nodiscard]] model::run run_all(model::run header, const std::vector<planned_family>& families,
                                 const instruments& equipment, const run_options& options,
                                 listener& observer);

}  // namespace ridge::harness
