// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"
#include "verify/guarded_arrays.hpp"
#include "verify/oracle_answers.hpp"

namespace ridge::harness {

// What one variant's outputs turned out to be.
struct verification {
  std::string refused{};  // how it failed, in words; empty when right
  model::failure_kind failure{model::failure_kind::wrong_output};  // where it failed
  std::string signal{};                                            // that ended its process
  std::string skipped{};  // why it could not be run (a library that is missing)
  double max_abs = 0, max_rel = 0;
  double squared_error = 0, squared_expected = 0;  // sums over the elements that were compared
  std::size_t compared = 0;                        // elements that the errors were found among
  double call_s = 0;  // of the longest verified call with its conversion of inputs; 0 on a GPU
  bool against_oracle = false;
};

// One data set to verify on: a member in host memory that holds the inputs, and the oracle's answers to them.
struct data_set {
  keyed_member* inputs = nullptr;  // null: the variant's own arrays are drawn by `key`
  const oracle_answers* answers = nullptr;
  std::uint64_t key = 0;
};

// Above this many operations or bytes the oracle is too slow to run whole; random elements are recomputed
// instead.
inline constexpr double whole_oracle_up_to = 268435456.0;  // 2^28

// Whether elements drawn at random are recomputed instead of all by the oracle.
[[nodiscard]] bool samples_elements(const experiment::definition& definition, const problem& p);

// A member of the problem in arrays of its own. `guard` decides how writes outside them are caught.
[[nodiscard]] keyed_member make_member(const experiment::definition& definition, const problem& p,
                                       const instruments& equipment, device::guard guard,
                                       device::placement placement);

// The same in host memory, where oracles compute.
[[nodiscard]] keyed_member make_host_member(const experiment::definition& definition, const problem& p,
                                            const instruments& equipment);

// The oracle's answers to what the member holds; none without an oracle, or where elements are sampled. On a
// host they are computed in a child of their own and are hidden from all others. Throws failure when the
// oracle fails.
[[nodiscard]] oracle_answers answers_to(const experiment::definition& definition, const problem& p,
                                        const instruments& equipment, keyed_member& member);

// Runs variant `v` on these guarded arrays once for each of the data sets, at the same addresses: outputs
// poisoned before, inputs compared after, every output compared, guards read. On a host the body runs in a
// forked child that shares nothing but these arrays with this process and does not have the answers; all that
// is said of them is found in this process, which has never run it. A crash, a hang of `limit_s` seconds or
// an exit of the body refuses it; arrays of a variant that is refused are discarded. On a GPU the arrays are
// not used.
[[nodiscard]] verification verify_variant(const experiment::definition& definition, std::size_t v,
                                          const problem& p, const instruments& equipment,
                                          const std::vector<data_set>& data, guarded_arrays& arrays,
                                          double limit_s);

}  // namespace ridge::harness
