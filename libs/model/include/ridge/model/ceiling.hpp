// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>

namespace ridge::model {

// A measured limit of this machine.
struct ceiling {
  std::string id{};       // "cpu.fma.fp32", "cpu.triad", "storage.read"
  std::string what{};     // in words, for people
  std::string unit{};     // "FLOP/s", "B/s"
  double value = 0;       // sustained median of the best variant
  ridge::interval ci{};   // of the median, 95 %
  std::string variant{};  // how it was reached: "avx512", "non-temporal"
  int threads = 1;
  double size_bytes = 0;  // working set, where one is meant
  std::string note{};     // why it is low, when it is; empty else
};

// The ceilings of one machine, one row per id and number of threads.
struct peak {
  std::string measured_at{};  // ISO 8601, UTC
  std::vector<ceiling> ceilings{};
  // The row of an id at a number of threads (0: the best at any number of threads), or null.
  [[nodiscard]] const ceiling* find(std::string_view id, int threads = 0) const;
};

}  // namespace ridge::model
