// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::app {

// Returns the optimization flag that holds among the flags of a compiler, which is the last one: "-O3" for
// "-O1 -g -O3". Returns "-O0", what a compiler does without being told, where there is none.
[[nodiscard]] std::string_view optimization_flag(std::string_view flags);

// Returns whether code compiled with the flag is as fast as the compiler makes it: -O2, -O3 and -Ofast, but
// not what compiles for debugging (-O1, -Og) or for size (-Os).
[[nodiscard]] bool optimizes_fully(std::string_view flag);

}  // namespace ridge::app
