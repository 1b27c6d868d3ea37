// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "keyed_member.hpp"

namespace ridge::harness {

// A member as the host's code may read it, for oracles and comparisons: itself where its arrays lie in host
// memory, else a copy that is made when first asked for.
class host_twin {
 public:
  host_twin(const experiment::definition& of, const problem& p, const instruments& with)
      : of_(of), at_(p), with_(with) {}

  // With the arrays as they are now.
  [[nodiscard]] keyed_member& seen(keyed_member& at);
  // With inouts as they were drawn: what an oracle begins with.
  [[nodiscard]] keyed_member& drawn(keyed_member& at);

 private:
  [[nodiscard]] keyed_member& copy();
  const experiment::definition& of_;
  const problem& at_;
  const instruments& with_;
  std::optional<keyed_member> copy_{};
};

}  // namespace ridge::harness
