// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// The name of the figure under which an audited measurement tells for how long work of a call ran, in
// seconds.
inline constexpr std::string_view traced_metric = "traced";

// Runs the variants of a family once more, untimed, while a tracer records everything that runs on the GPU.
// Each variant is bound as for timing, called once for warmth and twice more between marks. `equipment` holds
// the traced GPU. The returned family holds the checks `audit`; its measurements hold their kernels, in
// `refused` what failed the audit, and in `skipped` why nothing was traced. Throws failure when the GPU was
// lost.
[[nodiscard]] model::family audit_family(const planned_family& family, const instruments& equipment,
                                         measure::gpu_tracer& tracer, const run_options& options);

}  // namespace ridge::harness
