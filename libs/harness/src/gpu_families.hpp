// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::harness {

using family_job = std::function<model::family(const planned_family&, const instruments&)>;

// Does the job for each family of the CUDA backend, in a child process that opens the GPU. This process never
// opens it, so that it can fork; and a fault of a kernel, which destroys the GPU's context, costs one family.
// `equipment` is that of this process; the job receives the GPU's. Each family is complete or says why not.
// `learned` receives the ceilings, those of the GPU included.
[[nodiscard]] std::vector<model::family> on_gpu(std::span<const planned_family> families,
                                                const instruments& equipment, const family_job& job,
                                                model::peak* learned = nullptr);

// What gpu_control_trials does on the GPU once it is open.
[[nodiscard]] control_trials control_of(const planned_family& family, std::string_view variant,
                                        const instruments& equipment, const run_options& options,
                                        double seconds_each, std::size_t trials);

// A family without results: only its name and the reason.
[[nodiscard]] model::family family_without_results(const planned_family& family, const std::string& why);

}  // namespace ridge::harness
