// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>

namespace ridge::model {

// One point of a sweep: its place, "64 KiB" or "2 -> 3", and the value measured there, in the unit of the
// ceiling.
struct ceiling_point {
  std::string place{};
  double value = 0;
};

// A measured limit of this machine: a rate or, with the unit "s", the least time that something takes.
struct ceiling {
  std::string id{};           // "cpu.fma.fp32", "cpu.triad", "storage.read", "cuda.latency.l2"
  std::string description{};  // in words, for people
  std::string unit{};         // "FLOP/s", "B/s", "op/s", "Hz", "s"
  double value = 0;           // sustained median of the best variant
  ridge::interval ci{};       // of the median, 95 %
  std::string variant{};      // how the value was reached: "avx512", "non-temporal"
  int threads = 1;
  double size_bytes = 0;  // working set; 0: the ceiling has none
  std::string note{};     // why the value is low; empty when it is not

  double zeros = 0;            // the same with operands that are all zero; 0: not measured
  double clock_hz = 0;         // of the cores or multiprocessors during the measurement; 0: not known
  double power_w = 0;          // of the device during the measurement; 0: not known
  double issue_limit = 0;      // the most that the units can issue at clock_hz, in `unit`; 0: not known
  double specified = 0;        // the value that the vendor states, in `unit`; 0: none
  std::string specified_by{};  // source and date of the stated value
  bool disturbed = false;      // other work interfered: a calm machine may show another value
  std::vector<ceiling_point> series{};
};

// Returns whether less is better, which holds for times.
[[nodiscard]] inline bool lower_is_better(const ceiling& c) { return c.unit == "s"; }

// The ceilings of one machine, one row per id and number of threads.
struct peak {
  std::string measured_at{};  // ISO 8601, UTC
  std::vector<ceiling> ceilings{};
  // Returns the row of an id at a number of threads (0: the best row at any number of threads), or null.
  [[nodiscard]] const ceiling* find(std::string_view id, int threads = 0) const;
};

}  // namespace ridge::model
