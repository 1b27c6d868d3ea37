// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::host {

// Reads and writes the list format of the kernel: "0-3,8,10-11" stands for 0 1 2 3 8 10 11, ascending and
// each once; an empty text stands for no CPU.
[[nodiscard]] result<std::vector<int>> parse_cpu_list(std::string_view text);
[[nodiscard]] std::string format_cpu_list(std::span<const int> cpus);

}  // namespace ridge::host
