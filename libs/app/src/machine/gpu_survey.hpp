// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/base/result.hpp>
#include <ridge/probe/gpu_facts.hpp>

namespace ridge::app {

// Returns what the driver tells about the GPUs here, or why there are none to ask about. Opens no context.
[[nodiscard]] result<probe::gpu_survey> survey_gpus();

}  // namespace ridge::app
