// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

namespace ridge::plan::kernels {

// The place of measured kernel tables: FOLDER/<gpu>/<engine>_<version>_<kernel>_perf.csv.gz, as
// ai-dynamo/aiconfigurator lays them out; <gpu> as in "h100_sxm".
struct table_choice {
  std::filesystem::path folder{};
  std::string engine{"vllm"};  // engine whose tables are preferred; others replace missing ones
};

// The folder that --tables names, else serving/kernels in the folder RIDGE_DATA; empty when there are no
// tables.
[[nodiscard]] std::optional<std::filesystem::path> tables_folder(const std::string& option);

// Kernel times by interpolation of measured tables, in seconds: exact entries first, then interpolation along
// each axis. A shape without measurements takes the utilization of the nearest sizes, relative to its own
// roofline bound; beyond the last entry utilization stays constant. `otherwise` answers for kernels without a
// table. The error names file, line and column.
[[nodiscard]] result<std::shared_ptr<const kernel_times>> table_times(
    const table_choice& choice, const accelerator& gpu, std::shared_ptr<const kernel_times> otherwise);

}  // namespace ridge::plan::kernels
