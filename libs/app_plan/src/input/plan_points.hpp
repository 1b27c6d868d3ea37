// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/stats/scaling.hpp>

namespace ridge::app_plan {

// "8:21000" -> 8 workers, 21 000 a second. The error names the text.
[[nodiscard]] result<stats::scaling_point> scaling_point_of(const std::string& text);

// A CSV file with a header: the columns of workers (workers, n, gpus, threads, ranks) and of throughput
// (throughput, tokens_per_s, rate) or of time (time, step_s, seconds; the work is the same for any number of
// workers, throughput 1/time). The error names line and column.
[[nodiscard]] result<std::vector<stats::scaling_point>> read_scaling_points(
    const std::filesystem::path& file);

// Numbers between commas: "64,128,256".
[[nodiscard]] result<std::vector<double>> numbers_of(const std::string& text, const std::string& option);

}  // namespace ridge::app_plan
