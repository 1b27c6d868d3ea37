// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {

// What a variant does besides computing, found in a forked child that times nothing (decision 0023).
struct side_effects {
  std::string failed{};           // why the pass has no result; empty when it has
  std::string undeclared_gpus{};  // which undeclared GPUs it used; empty: none
  double peak_bytes = 0;          // resident high-water mark above the state before its first call
  double allocated_bytes = 0;     // taken through `setup`
  // What its second call did:
  double allocations = -1;      // through malloc; -1 where the program does not count them
  double mapped_bytes = 0;      // growth of the address space
  int threads_started = 0;      // still alive after the call
  double undeclared_cpu_s = 0;  // processor time of other threads where one thread was declared
  int descriptors_opened = 0;
  bool rounding_changed = false;  // MXCSR
  bool affinity_changed = false;
};

// Binds variant `v` to `member` and calls it, in a forked child; on a GPU in this process, on a member of its
// own.
[[nodiscard]] side_effects watch_side_effects(const experiment::definition& definition, std::size_t v,
                                              const problem& p, const instruments& equipment,
                                              keyed_member& member);

}  // namespace ridge::harness
