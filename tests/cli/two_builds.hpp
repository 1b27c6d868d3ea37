// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <ridge/model/json.hpp>

#include "program.hpp"

namespace ridge::cli {

// Writes a program of the shell.
inline void write_program(const std::filesystem::path& file, const std::string& lines) {
  { std::ofstream(file) << "#!/bin/sh\n" << lines << '\n'; }
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

// Whether both arms of the first family of a saved run have a time, and one comparison was made.
[[nodiscard]] inline bool both_measured(const std::filesystem::path& file) {
  const auto run = model::run_from_json(contents(file));
  if (!run || run->families.empty()) return false;
  const auto& family = run->families.front();
  for (const auto& arm : family.measurements) {
    if (arm.metrics.empty() || arm.metrics.front().median <= 0) return false;
  }
  return family.measurements.size() == 2 && family.comparisons.size() == 1;
}

}  // namespace ridge::cli
