// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::harness {

using family_job = std::function<model::family(const planned_family&, const instruments&)>;

// Does the job for each family of the CUDA backend, in a child process that opens the GPU: this process never
// does, so that it can fork, and a fault of a kernel, which takes the GPU's context with it, costs one
// family. `with` is this machine's; the job is given the GPU's. Families are complete or say why not.
// `learned` receives the ceilings with those of the GPU.
[[nodiscard]] std::vector<model::family> on_gpu(std::span<const planned_family> families,
                                                const instruments& with, const family_job& job,
                                                model::peak* learned = nullptr);

// What gpu_control_trials does on the GPU once it is open.
[[nodiscard]] control_trials control_of(const planned_family& what, std::string_view variant,
                                        const instruments& with, const run_options& options,
                                        double seconds_each, std::size_t trials);

// The family with nothing but its name and the reason.
[[nodiscard]] model::family family_without_results(const planned_family& what, const std::string& why);

}  // namespace ridge::harness
