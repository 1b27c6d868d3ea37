// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::app {

// Returns the version: "0.1.0".
[[nodiscard]] std::string_view version();
// Returns the commit of the build, "287e725", with "+" when files differed from it; empty outside git.
[[nodiscard]] std::string_view commit();
// Returns "ridge 0.1.0 (287e725)".
[[nodiscard]] std::string_view version_line();
// Returns the flags of the compiler for this kind of build.
[[nodiscard]] std::string_view build_flags();

}  // namespace ridge::app
