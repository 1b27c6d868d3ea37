// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/model/environment.hpp>

namespace ridge::model {

// One subject of a measurement of peaks: heads its rows, whose ids are its own or begin with it and a dot.
struct probed {
  std::string id{};
  std::string title{};    // "memory, read"
  std::string means{};    // what its figures tell, in a line
  std::string skipped{};  // why it has no rows, or not all
  int rows = 0;           // how many of the report's are its own
  double wall_s = 0;
};

// What one `ridge peak` came to.
struct peak_report {
  model::peak peak{};
  model::environment environment{};
  std::string depth{};  // quick, standard, deep
  double wall_s = 0;
  std::vector<probed> probes{};  // in the order measured; their rows stand in the same order
};

// The rows of report.probes[subject].
[[nodiscard]] std::span<const ceiling> rows_of(const peak_report& report, std::size_t subject);

}  // namespace ridge::model
