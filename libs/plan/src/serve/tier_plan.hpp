// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/serve/replica_plan.hpp>

namespace ridge::plan::serve {

// Bytes per second that copies of blocks reach from the host to one GPU, by the catalogue's link; 0: unknown.
[[nodiscard]] double host_copy_rate(const accelerator& gpu);

// Gives the engine of the plan the tiers of the question: blocks from bytes, rates of all its GPUs. The error
// names what is missing or out of range.
[[nodiscard]] result<void> take_tiers(replica_plan& plan, const replica_question& q);

}  // namespace ridge::plan::serve
