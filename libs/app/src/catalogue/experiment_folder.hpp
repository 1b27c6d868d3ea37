// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::app {

// A new experiment's id taken apart: "ch07.coalescing" -> ch07, coalescing, ch07_coalescing.
struct experiment_name {
  std::string chapter{};
  std::string name{};
  [[nodiscard]] std::string id() const { return chapter + '.' + name; }
  [[nodiscard]] std::string space() const { return chapter + '_' + name; }
};

// chNN.name, chapters 01 to 20, the name in snake_case.
[[nodiscard]] result<experiment_name> parse_experiment_name(std::string_view text);

// Where its folder belongs below `dir`: the chapter's folder where there is one (dir itself, dir/chNN_*,
// dir/experiments/chNN_*), else a folder called by the whole id, which CMake reads as well.
[[nodiscard]] std::filesystem::path folder_for(const experiment_name& experiment,
                                               const std::filesystem::path& dir);

// Writes the folder's files and returns their paths. An existing folder is an error; throws io_failure.
[[nodiscard]] result<std::vector<std::filesystem::path>> write_experiment(
    const experiment_name& experiment, const std::filesystem::path& folder);

}  // namespace ridge::app
