// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::host {

// The core's name by the implementer and part number of an AArch64 machine's /proc/cpuinfo, which gives no
// name ("Arm Neoverse-V2"); the numbers where they are not known here, empty without them.
[[nodiscard]] std::string arm_model(std::string_view cpuinfo);

}  // namespace ridge::host
