// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::trace {

// Whether a kernel's name says that it only moves elements to another order: a transpose, a change of layout.
[[nodiscard]] bool only_rearranges(std::string_view kernel);

}  // namespace ridge::trace
