// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::trace_report {

// Returns what a frame belongs to, by its name: a file of Python, the first namespace of C++, "cuda".
[[nodiscard]] std::string_view module_of(std::string_view frame);

// Returns a light fill for dark text: one hue per module, nearby shades for its frames.
[[nodiscard]] std::string flame_color(std::string_view frame);

// Returns a colour from grey for 0 to red for 1 (grew) and blue for -1 (shrank).
[[nodiscard]] std::string change_color(double change);

}  // namespace ridge::trace_report
