// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/report/document.hpp>

// How pages write numbers that formulas give as doubles.
namespace ridge::plan_report {

// A whole number as an integer, so that JSON has no ".0"; fractions and numbers beyond integers unchanged.
[[nodiscard]] report::value plain(double v);
// The same for a number that may be missing; an empty cell when it is.
[[nodiscard]] report::value plain_or_empty(const std::optional<double>& v);
// A number that may be missing, as a double even when it is whole; an empty cell when it is missing.
[[nodiscard]] report::value real_or_empty(const std::optional<double>& v);
// The nearest whole number of bytes.
[[nodiscard]] report::value whole_bytes(double v);
// "40.00 GiB"
[[nodiscard]] std::string bytes_text(double v);

}  // namespace ridge::plan_report
