// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {

// The members that every arm of a family works on, one ring per placement that its variants ask for (decision
// 0020). All rings have the same number of members.
using rings = std::map<device::placement, std::vector<keyed_member>>;

// Makes the rings for these placements, with members of undefined content: three members each, more where
// cold data are wanted or placement is the question. All rings together take at most 40 % of the memory that
// is free before, unless one member each is more already.
[[nodiscard]] rings make_rings(const experiment::definition& definition, const problem& p,
                               const instruments& equipment, std::vector<device::placement> placements);

// Bytes of the arrays of one member; 0 without rings.
[[nodiscard]] std::size_t member_bytes(const rings& all);

}  // namespace ridge::harness
