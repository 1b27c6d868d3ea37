// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/report/document.hpp>

// How pages write numbers that formulas give as doubles.
namespace ridge::plan_report {

// A whole number as one, so that JSON has no ".0"; others, and those that no integer holds, as they are.
[[nodiscard]] report::value plain(double v);
// The nearest whole number of bytes.
[[nodiscard]] report::value whole_bytes(double v);
// "40.00 GiB"
[[nodiscard]] std::string bytes_text(double v);

}  // namespace ridge::plan_report
