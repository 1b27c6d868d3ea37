// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/shared_region.hpp>

#include "data/compare_outputs.hpp"
#include "data/keyed_member.hpp"

namespace ridge::harness {

// The oracle's answers to the data that one member holds, where no body can read them.
class oracle_answers {
 public:
  // None: the experiment states no oracle, or its elements are sampled.
  oracle_answers() = default;
  // Computes them in a child of its own, whose memory goes with it, and keeps them in memory that children
  // forked from now on do not have. Throws failure when the oracle does, or when it ends its process.
  [[nodiscard]] static oracle_answers of_a_child(const experiment::definition& definition,
                                                 keyed_member& member);
  // Computes them in this process, where a child cannot: beside a GPU. They stay in the member's outputs,
  // too.
  [[nodiscard]] static oracle_answers of_this_process(const experiment::definition& definition,
                                                      keyed_member& member);

  // Each result array, in the order of the workload's; empty where there are no answers.
  [[nodiscard]] const result_views& results() const { return results_; }
  // Least seconds that the oracle took on this data; 0 without answers.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  std::optional<host::shared_region> hidden_{};
  result_bytes copies_{};
  result_views results_{};
  double seconds_ = 0;
};

}  // namespace ridge::harness
