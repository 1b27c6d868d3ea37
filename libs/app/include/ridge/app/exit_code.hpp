// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::app::exit_code {

// The exit codes of the process (docs/guide/cli.md). Those from 64 on follow sysexits of BSD.
inline constexpr int good = 0;
inline constexpr int worse = 1;
inline constexpr int refused = 2;  // a variant was wrong, a problem failed as a whole, or a result is INVALID
inline constexpr int inconclusive = 3;
inline constexpr int does_not_fit = 4;  // planning: nothing fits the memory, or meets the limits
inline constexpr int usage = 64;
inline constexpr int unavailable = 69;
inline constexpr int bug = 70;
inline constexpr int file = 74;
inline constexpr int interrupted = 130;

}  // namespace ridge::app::exit_code
