// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"
#include "verify/guarded_arrays.hpp"

namespace ridge::harness {

// What a variant does besides computing, found in a forked child that times nothing (decision 0023).
struct side_effects {
  std::string failed{};           // why the pass has no result; empty when it has
  std::string undeclared_gpus{};  // which undeclared GPUs it used; empty: none
  // The most memory that it takes beside the workload's arrays, from before its untimed part to after its
  // calls: at least what it takes through `setup`. On a GPU what its first call and `setup` take of the
  // device.
  double memory_bytes = 0;
  double allocated_bytes = 0;  // taken through `setup`
  // What its first two calls left otherwise than they found it, of the process's state; empty: nothing. Of a
  // vendor's library the second call alone. On a GPU, whose driver opens what it needs in a first call, the
  // fields below say it of the second one.
  std::string changed{};
  // What its second call did:
  double allocations = -1;      // through malloc; -1 where the program does not count them
  double mapped_bytes = 0;      // growth of the address space
  int threads_started = 0;      // still alive after the call
  double undeclared_cpu_s = 0;  // processor time of other threads where one thread was declared
  int descriptors_opened = 0;
  bool rounding_changed = false;  // MXCSR
  bool affinity_changed = false;
};

// Binds variant `v` to the guarded arrays and calls it on the data of `drawn`, in a forked child that ends
// where it takes longer than `limit_s` seconds for a step; on a GPU in this process, on a member of its own.
// The memory of a child is read by this process, which also puts the data into the arrays. Before it no body
// may have run here, since what a body took once is not taken again.
[[nodiscard]] side_effects watch_side_effects(const experiment::definition& definition, std::size_t v,
                                              const problem& p, const instruments& equipment,
                                              const keyed_member& drawn, guarded_arrays& arrays,
                                              double limit_s);

}  // namespace ridge::harness
