// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>

namespace ridge::model {

// One place of a sweep: "64 KiB" or "2 -> 3" and what was measured there, in the ceiling's unit.
struct ceiling_point {
  std::string at{};
  double value = 0;
};

// A measured limit of this machine: a rate, or with the unit "s" the least time that something takes.
struct ceiling {
  std::string id{};       // "cpu.fma.fp32", "cpu.triad", "storage.read", "cuda.latency.l2"
  std::string what{};     // in words, for people
  std::string unit{};     // "FLOP/s", "B/s", "op/s", "Hz", "s"
  double value = 0;       // sustained median of the best variant
  ridge::interval ci{};   // of the median, 95 %
  std::string variant{};  // how it was reached: "avx512", "non-temporal"
  int threads = 1;
  double size_bytes = 0;  // working set, where one is meant
  std::string note{};     // why it is low, when it is; empty else

  double zeros = 0;            // the same on operands of all zeros; 0: not asked
  double clock_hz = 0;         // of the cores or multiprocessors meanwhile; 0: not known
  double power_w = 0;          // of the device meanwhile; 0: not known
  double issue_limit = 0;      // what the units can do at most at clock_hz, in `unit`; 0: not known
  double specified = 0;        // what the vendor states, in `unit`; 0: nothing
  std::string specified_by{};  // its source and date
  bool disturbed = false;      // something came in between: not a calm machine's figure
  std::vector<ceiling_point> series{};
};

// Whether less is better: a time.
[[nodiscard]] inline bool lower_is_better(const ceiling& c) { return c.unit == "s"; }

// The ceilings of one machine, one row per id and number of threads.
struct peak {
  std::string measured_at{};  // ISO 8601, UTC
  std::vector<ceiling> ceilings{};
  // The row of an id at a number of threads (0: the best at any number of threads), or null.
  [[nodiscard]] const ceiling* find(std::string_view id, int threads = 0) const;
};

}  // namespace ridge::model
