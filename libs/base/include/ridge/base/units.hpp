// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge {

// Returns a number with its unit, scaled so that it reads well, with three significant digits by default:
//   "s" 4.12e-7 -> "412 ns"; "B" 65536 -> "64 KiB" (binary); "B/s", "FLOP/s", "items/s", "J", "W" decimal SI;
//   "1" 0.42 -> "42 %"; any other unit is printed after the unscaled number. NaN prints as "-".
[[nodiscard]] std::string format_quantity(double value, std::string_view unit, int digits = 3);

// Returns a ratio as "1.783×", with two to four decimals: as many as the width of its interval [lo, hi]
// justifies.
[[nodiscard]] std::string format_ratio(double ratio, double lo, double hi);

// Returns a whole number with thin spaces between groups of three digits: 1048576 -> "1 048 576".
[[nodiscard]] std::string format_grouped(long long n);

// Does the same, but writes powers of two from 1024 on as such: 1048576 -> "2^20".
[[nodiscard]] std::string format_count(long long n);

}  // namespace ridge
