// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::host {

// Returns the name of the core ("Arm Neoverse-V2") by the implementer and part number in /proc/cpuinfo of an
// AArch64 machine, which contains no name; the numbers where they are not known here, empty without them.
[[nodiscard]] std::string arm_model(std::string_view cpuinfo);

}  // namespace ridge::host
