// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {

// What one variant's outputs turned out to be.
struct verification {
  std::string refused{};  // why it is wrong, in words; empty when right
  std::string skipped{};  // why it could not be run (a library that is missing)
  double max_abs = 0, max_rel = 0;
  double call_s = 0;  // of the last verified call, for planning only
  bool against_oracle = false;
};

// Above this many operations or bytes the oracle is too slow to run whole; random elements are recomputed
// instead.
inline constexpr double whole_oracle_up_to = 268435456.0;  // 2^28

[[nodiscard]] bool samples_elements(const experiment::definition& definition, const problem& p);

// A member of the problem in arrays of its own. `guard` decides how writes outside them are caught.
[[nodiscard]] keyed_member make_member(const experiment::definition& definition, const problem& p,
                                       const instruments& equipment, device::guard guard,
                                       device::placement placement);

// The same in host memory, where oracles compute.
[[nodiscard]] keyed_member make_host_member(const experiment::definition& definition, const problem& p,
                                            const instruments& equipment);

// Fills the outputs of `reference` with the oracle's answer for the data it holds; does nothing without an
// oracle, or where elements are sampled. Returns its seconds.
double expect(const experiment::definition& definition, const problem& p, keyed_member& reference);

// Runs variant `v` on guarded arrays, on a host in a forked child, once for each of `references` (members
// that hold the expected outputs), at the same addresses: outputs poisoned before, inputs checksummed, every
// output compared, guards read. A crash, a hang or an exit of the body refuses it.
[[nodiscard]] verification verify_variant(const experiment::definition& definition, std::size_t v,
                                          const problem& p, const instruments& equipment,
                                          std::vector<keyed_member*> references);

}  // namespace ridge::harness
