// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::host {

// The kernel's list format: "0-3,8,10-11" gives 0 1 2 3 8 10 11; empty text gives no CPU. Ascending, each
// once.
[[nodiscard]] result<std::vector<int>> parse_cpu_list(std::string_view text);
[[nodiscard]] std::string format_cpu_list(std::span<const int> cpus);

}  // namespace ridge::host
