// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// The most seconds that a process on the GPU may take for one family, and for each family after the first.
inline constexpr double gpu_process_limit_s = 900, further_family_limit_s = 120;

// An endless kernel shows where the harness waits for the GPU, between calls: this may take so many stall
// limits.
inline constexpr double gpu_between_calls = 5;

using family_job =
    std::function<model::family(const planned_family&, const instruments&, const run_options&)>;

// Does the job for each family of the CUDA backend, in a child process that opens the GPU. This process never
// opens it, so that it can fork. A fault of a kernel, which destroys the GPU's context, a crash and a hang
// cost one variant: the family is done again without it, and those after it get a process of their own.
// `equipment` is that of this process; the job receives the GPU's, and the options with the variants that are
// refused. Each family is complete or says why not. `learned` receives the ceilings, those of the GPU
// included.
[[nodiscard]] std::vector<model::family> on_gpu(std::span<const planned_family> families,
                                                const instruments& equipment, const family_job& job,
                                                run_options options, model::peak* learned = nullptr);

// The equipment of a process that has opened this GPU, made from that of its parent.
[[nodiscard]] instruments gpu_instruments(const instruments& equipment, const opened_gpu& gpu);

}  // namespace ridge::harness
