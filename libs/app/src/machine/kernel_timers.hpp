// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/context.hpp>

namespace ridge::app {

// The timers of the backends in this build.
[[nodiscard]] kernel_timers kernel_timers_here();

}  // namespace ridge::app
