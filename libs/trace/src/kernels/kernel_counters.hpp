// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/counters.hpp>

#include "kernels/metric_table.hpp"

namespace ridge::trace {

// Returns the counters of one kernel without names and joins.
[[nodiscard]] kernel_counters read_counters(const metric_table& m);

}  // namespace ridge::trace
