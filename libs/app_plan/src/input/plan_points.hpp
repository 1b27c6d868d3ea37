// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/stats/scaling.hpp>

namespace ridge::app_plan {

// Reads "8:21000" as 8 workers with a throughput of 21 000 per second. The error names the text.
[[nodiscard]] result<stats::scaling_point> scaling_point_of(const std::string& text);

// Reads the number that is the whole text but for spaces around it; nothing where there is none.
[[nodiscard]] std::optional<double> number_of_cell(std::string_view text);

// Reads a CSV file, gzipped or plain, with a header: the columns of workers (workers, n, gpus, threads,
// ranks) and of throughput (throughput, tokens_per_s, rate) or of time (time, step_s, seconds; the work is
// the same for any number of workers, throughput 1/time). The error names line and column.
[[nodiscard]] result<std::vector<stats::scaling_point>> read_scaling_points(
    const std::filesystem::path& file);

// Reads numbers between commas: "64,128,256". The error names `option`.
[[nodiscard]] result<std::vector<double>> numbers_of(const std::string& text, const std::string& option);

}  // namespace ridge::app_plan
