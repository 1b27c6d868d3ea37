// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/experiment.hpp>

namespace ridge::harness {

// Returns how many threads a variant uses on a problem, on this machine.
[[nodiscard]] int threads_of(const variant_facts& v, const problem& p);

}  // namespace ridge::harness
