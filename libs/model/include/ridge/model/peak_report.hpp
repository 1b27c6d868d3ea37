// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/model/environment.hpp>

namespace ridge::model {

// One subject of a measurement of peaks, which heads its rows: their ids equal its own or start with it and a
// dot.
struct probed {
  std::string id{};
  std::string title{};    // "memory, read"
  std::string means{};    // one line that says what its figures mean
  std::string skipped{};  // why it has no rows or too few; empty when all are there
  int rows = 0;           // number of rows in the report that belong to it
  double wall_s = 0;
};

// The results of one `ridge peak`.
struct peak_report {
  model::peak peak{};
  model::environment environment{};
  std::string depth{};  // quick, standard, deep
  double wall_s = 0;
  std::vector<probed> probes{};  // in the order measured; their rows stand in the same order
};

// Returns the rows of report.probes[subject].
[[nodiscard]] std::span<const ceiling> rows_of(const peak_report& report, std::size_t subject);

}  // namespace ridge::model
