// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/base/result.hpp>
#include <ridge/probe/gpu_facts.hpp>

namespace ridge::app {

// What the driver says of the GPUs here, or why there are none to ask. No context is opened.
[[nodiscard]] result<probe::gpu_survey> survey_gpus();

}  // namespace ridge::app
