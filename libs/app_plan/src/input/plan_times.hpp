// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::app_plan {

// Seconds of the unit that a number without a unit is in: latencies are in milliseconds, pauses in seconds.
inline constexpr double millisecond_s = 1e-3, second_s = 1;

// Reads a time in seconds, 0 to 1e10 (three centuries): "500ms", "2s", "5min", "1h" (also ns, us, m), or a
// number in `plain_unit_s`. The error names the option and its text.
[[nodiscard]] result<double> seconds_of(std::string_view option, std::string_view text, double plain_unit_s);
// The same above 0, for a limit or a period, which means nothing when it is none.
[[nodiscard]] result<double> period_of(std::string_view option, std::string_view text, double plain_unit_s);

// Reads "a:b:c" as times in seconds, `least` to `most` of them. The error names the option; its remedy is
// `remedy`.
[[nodiscard]] result<std::vector<double>> times_between_colons(std::string_view option, std::string_view text,
                                                               std::size_t least, std::size_t most,
                                                               double plain_unit_s,
                                                               const std::string& remedy);

// The rule for times, as every verb with such options says it.
inline constexpr const char* rule_of_times =
    "Times may carry a unit: 500ms, 2s, 5min, 1h. A number alone is in the unit that the option shows: "
    "latencies (MS) in milliseconds, pauses (SECONDS) in seconds.";

}  // namespace ridge::app_plan
