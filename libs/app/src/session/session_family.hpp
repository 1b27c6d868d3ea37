// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/session_family.hpp>

namespace ridge::app {

// Sessions of programs and builds become families as those of functions do.
using harness::against_first;
using harness::arm_name;
using harness::family_of;

}  // namespace ridge::app
