// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ridge::trace {

// Returns all files of Chrome JSON, plain or gzip, below a folder of the data, sorted. Empty where there is
// no data.
[[nodiscard]] std::vector<std::string> traces_in_folder(const std::string& path_below_data);

}  // namespace ridge::trace
