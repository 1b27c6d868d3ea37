// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/analysis/power.hpp>
#include <ridge/base/result.hpp>

namespace ridge::app_plan {

// Reads measurements of power from a CSV file, gzipped or plain, with the header
// memory_share,compute_share,watts[,group]: shares of a GPU's bandwidth and matrix peak from 0 to 1, power in
// watts, a name for rows that are fitted together. The error names file and line.
[[nodiscard]] result<std::vector<analysis::power_row>> read_power_rows(const std::string& file);

}  // namespace ridge::app_plan
