// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ridge::app_plan {

// The date in UTC: "2026-11-26".
[[nodiscard]] std::string today();

}  // namespace ridge::app_plan
