// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/runner.hpp>

namespace ridge::harness {

// One extra pass over the variants of a family, untimed, with everything that runs on the GPU recorded: each
// is bound as for timing, called once for warmth and twice more between marks. `with` is the traced GPU's.
// The family that comes back holds checks `audit`, and of each measurement its kernels, in `refused` what
// failed it and in `skipped` why nothing was seen. Throws failure when the GPU was lost.
[[nodiscard]] model::family audit_family(const planned_family& what, const instruments& with,
                                         measure::gpu_tracer& tracer, const run_options& options);

}  // namespace ridge::harness
