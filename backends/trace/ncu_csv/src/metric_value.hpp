// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::backends::trace_ncu_csv {

// Parses "54,207,744", "6.40", "1.5e+03", or the 12 of "12 (4; 8)"; nullopt where there is no number ("n/a",
// "", "nan", a text).
[[nodiscard]] std::optional<double> metric_value(std::string_view text);

// Parses "(32, 32, 1)" or "32 32 1"; missing dimensions are 1; nullopt where there is no number.
[[nodiscard]] std::optional<std::array<std::uint32_t, 3>> dimensions(std::string_view text);

}  // namespace ridge::backends::trace_ncu_csv
