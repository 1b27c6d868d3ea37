// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::backends::trace_ncu_csv {

// "54,207,744", "6.40", "1.5e+03"; of "12 (4; 8)" the 12. nullopt: no number ("n/a", "", "nan", a text).
[[nodiscard]] std::optional<double> metric_value(std::string_view text);

// "(32, 32, 1)" or "32 32 1"; what is missing is 1; nullopt where there is no number at all.
[[nodiscard]] std::optional<std::array<std::uint32_t, 3>> dimensions(std::string_view text);

}  // namespace ridge::backends::trace_ncu_csv
