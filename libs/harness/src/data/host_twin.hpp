// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {

// A member that host code may read, for oracles and comparisons: the member itself where its arrays lie in
// host memory, else a copy that is made at the first use.
class host_twin {
 public:
  host_twin(const experiment::definition& definition, const problem& p, const instruments& equipment)
      : definition_(definition), problem_(p), equipment_(equipment) {}

  // The member with its arrays as they are now.
  [[nodiscard]] keyed_member& seen(keyed_member& member);
  // The member with inouts as they were drawn, which an oracle begins with.
  [[nodiscard]] keyed_member& drawn(keyed_member& member);

 private:
  [[nodiscard]] keyed_member& copy();
  const experiment::definition& definition_;
  const problem& problem_;
  const instruments& equipment_;
  std::optional<keyed_member> copy_{};
};

}  // namespace ridge::harness
