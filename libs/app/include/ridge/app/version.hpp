// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::app {

[[nodiscard]] std::string_view version();       // "0.1.0"
[[nodiscard]] std::string_view commit();        // "287e725", with "+" when changed since; empty outside git
[[nodiscard]] std::string_view version_line();  // "ridge 0.1.0 (287e725)"
[[nodiscard]] std::string_view build_flags();   // of the compiler, for this kind of build

}  // namespace ridge::app
