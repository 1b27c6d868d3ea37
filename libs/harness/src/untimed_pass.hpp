// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "keyed_member.hpp"

namespace ridge::harness {

// What one variant does besides computing, seen in a forked child that times nothing (decision 0023).
struct side_effects {
  std::string failed{};           // why the pass said nothing; empty when it did
  std::string undeclared_gpus{};  // which ones it used, in words; empty: none
  double peak_bytes = 0;          // resident high-water mark above the state before its first call
  double allocated_bytes = 0;     // taken through `setup`
  // Of its second call:
  double allocations = -1;      // through malloc; -1 where the program does not count them
  double mapped_bytes = 0;      // growth of the address space
  int threads_started = 0;      // still alive after the call
  double undeclared_cpu_s = 0;  // of threads other than the caller's, where one thread was declared
  int descriptors_opened = 0;
  bool rounding_changed = false;  // MXCSR
  bool affinity_changed = false;
};

[[nodiscard]] side_effects watch_side_effects(const experiment::definition& of, std::size_t v,
                                              const problem& p, const instruments& with, keyed_member& on);

}  // namespace ridge::harness
