// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

// The sheet of device work by name (and shape), longest first.
[[nodiscard]] sheet kernels_sheet(const scope& s, bool by_shape, std::size_t rows);

}  // namespace ridge::trace_report
