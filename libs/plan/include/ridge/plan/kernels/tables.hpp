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

// Where measured kernel tables lie: FOLDER/<gpu>/<engine>_<version>_<kernel>_perf.csv.gz, as
// ai-dynamo/aiconfigurator lays them out; <gpu> as in "h100_sxm".
struct table_choice {
  std::filesystem::path folder{};
  std::string engine{"vllm"};  // whose tables come first; others stand in where it has none
};

// The folder --tables names, or RIDGE_DATA's serving/kernels; none: no tables.
[[nodiscard]] std::optional<std::filesystem::path> tables_folder(const std::string& option);

// Kernel times by interpolation: exact hits; bracket and blend along each axis; other shapes lend their
// utilisation at the nearest sizes, at this shape's speed of light; beyond the edge utilisation is held.
// `otherwise` answers where no table speaks. The error names file, line and column.
[[nodiscard]] result<std::shared_ptr<const kernel_times>> table_times(
    const table_choice& where, const accelerator& gpu, std::shared_ptr<const kernel_times> otherwise);

}  // namespace ridge::plan::kernels
