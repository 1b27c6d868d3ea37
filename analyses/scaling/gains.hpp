// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/report/document.hpp>

#include "sweeps.hpp"

namespace ridge::analyses::scaling {

// The sheet of gains over the baseline at the least and the greatest size, without rows.
[[nodiscard]] report::sheet gain_sheet();
// Adds the variants of a sweep that were compared with their baseline at two sizes or more.
void add_gains(report::sheet& sheet, const sweep& swept);

}  // namespace ridge::analyses::scaling
