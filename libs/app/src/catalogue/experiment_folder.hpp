// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::app {

// The parts of the id of a new experiment: ch07.coalescing has the chapter ch07, the name coalescing and the
// namespace ch07_coalescing.
struct experiment_name {
  std::string chapter{};
  std::string name{};
  [[nodiscard]] std::string id() const { return chapter + '.' + name; }
  [[nodiscard]] std::string space() const { return chapter + '_' + name; }
};

// Reads an id "chNN.name" with a chapter from 01 to 20 and a name in snake_case; anything else is an error.
[[nodiscard]] result<experiment_name> parse_experiment_name(std::string_view text);

// Returns where the folder of the experiment belongs below `dir`: in the folder of its chapter where there is
// one (dir itself, dir/chNN_*, dir/experiments/chNN_*); else, where dir or dir/experiments is that of a
// checkout of Ridge, in a new chapter's folder (ch07_memory_access_patterns); else it is a folder with the
// whole id as its name, which ridge_program() reads as well.
[[nodiscard]] std::filesystem::path folder_for(const experiment_name& experiment,
                                               const std::filesystem::path& dir);

// Returns whether the folder of an experiment lies in a chapter of a checkout of Ridge, whose build finds it.
[[nodiscard]] bool is_in_checkout(const std::filesystem::path& folder);

// Writes the files of the folder, and in a checkout the README of the chapter where there is none; returns
// their paths. An existing folder is an error; throws io_failure.
[[nodiscard]] result<std::vector<std::filesystem::path>> write_experiment(
    const experiment_name& experiment, const std::filesystem::path& folder);

}  // namespace ridge::app
