// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge {

// A number with its unit, scaled so that it reads well, three significant digits by default:
//   "s" 4.12e-7 -> "412 ns"; "B" 65536 -> "64 KiB" (binary); "B/s", "FLOP/s", "items/s", "J", "W" decimal SI;
//   "1" 0.42 -> "42 %"; any other unit is printed unscaled after the number. NaN prints as "-".
[[nodiscard]] std::string format_quantity(double value, std::string_view unit, int digits = 3);

// "1.783×"; two to four decimals, as many as the interval's width can carry.
[[nodiscard]] std::string format_ratio(double ratio, double lo, double hi);

// A whole number with thin grouping: 1048576 -> "1 048 576".
[[nodiscard]] std::string format_grouped(long long n);

// The same, powers of two from 1024 on shorter: 1048576 -> "2^20".
[[nodiscard]] std::string format_count(long long n);

}  // namespace ridge
