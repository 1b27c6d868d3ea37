// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// A parameter of command lines and the values it takes in turn.
struct parameter {
  std::string name{};
  std::vector<model::axis_value> values{};
};

// Reads NAME MIN MAX and a step, all as they were typed, into a parameter: whole numbers where all three are
// whole, else decimal ones. An error for what is no number, an empty range and more than 100 000 values.
[[nodiscard]] result<parameter> scanned(const std::string& name, const std::string& least,
                                        const std::string& most, const std::string& step);

// Reads NAME and V1,V2,... into a parameter; "\," stands for a comma in a value. Whole numbers are numbers.
[[nodiscard]] result<parameter> listed(const std::string& name, const std::string& values);

// Returns every combination of the parameters' values, the first parameter changing slowest; one empty point
// where there are no parameters.
[[nodiscard]] std::vector<model::problem_point> points_of(const std::vector<parameter>& parameters);

// Returns the text with every {NAME} replaced by the value of that parameter, as a program reads it: "1024",
// "0.5".
[[nodiscard]] std::string with_values(std::string text, const model::problem_point& point);

}  // namespace ridge::app
