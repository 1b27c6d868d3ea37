// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {

// The arrays, between guard pages, on which the variants of a family are run one after another before they
// are timed. A child that runs a variant shares them with this process. They are made once, because to map
// and to clear the pages of large arrays takes longer than to verify a variant on them.
class guarded_arrays {
 public:
  // Keeps references to all three.
  guarded_arrays(const experiment::definition& definition, const problem& p, const instruments& equipment)
      : definition_(definition), problem_(p), equipment_(equipment) {}

  // The arrays, made when they are first asked for. What they hold is undefined.
  [[nodiscard]] keyed_member& member();
  // Gives the arrays back. The next variant gets new ones: to be called when one may have damaged them.
  void discard() { member_.reset(); }

 private:
  const experiment::definition& definition_;
  const problem& problem_;
  const instruments& equipment_;
  std::optional<keyed_member> member_{};
};

}  // namespace ridge::harness
