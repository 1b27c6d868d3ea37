// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/instruments.hpp>

namespace ridge::app {

// Lets the harness ask for what variants require of this program and machine: vendor libraries by name, the
// architectures of the device code in this build, other processes on the GPU.
void answer_requirements(harness::instruments& instruments);

}  // namespace ridge::app
