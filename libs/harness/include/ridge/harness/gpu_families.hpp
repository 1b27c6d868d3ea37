// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Verifies families of the CUDA backend, one after the other in a child process that opens the GPU.
[[nodiscard]] std::vector<model::family> verify_gpu_families(std::span<const planned_family> families,
                                                             const instruments& equipment,
                                                             const run_options& options);

// Sessions of two arms of one variant, to see how often identical code is told apart.
struct control_trials {
  std::string skipped{};              // why there are no sessions
  std::vector<interval> intervals{};  // interval of the ratio in each session; the true ratio is 1
  std::vector<double> ratios{};
};

// Runs `trials` sessions of `seconds_each` on two arms of one variant of a family of the CUDA backend, in a
// child process that opens the GPU; the variant is verified first.
[[nodiscard]] control_trials gpu_control_trials(const planned_family& family, std::string_view variant,
                                                const instruments& equipment, const run_options& options,
                                                double seconds_each, std::size_t trials);

// Why no family of the CUDA backend can run here; empty when they can. Opens the GPU in a child process to
// find out.
[[nodiscard]] std::string gpu_unavailable_because(const instruments& equipment);

}  // namespace ridge::harness
