// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <ridge/hardware/specification.hpp>
#include <ridge/model/ceiling.hpp>
#include <ridge/model/roofline.hpp>

namespace ridge::probe {

// The specified limit of a ceiling at a number of threads, if any.
using specified_limit =
    std::function<std::optional<hardware::specification>(std::string_view ceiling, int threads)>;

// Returns min(peak, bandwidth * intensity) in operations per second, the roofline of Williams, Waterman and
// Patterson (CACM 52(4), 2009). A peak or bandwidth of 0 means that this limit does not apply.
[[nodiscard]] double attainable(double peak, double bandwidth, double intensity);

// Returns the roofs of one backend at a number of threads (0: any): for each level and type the best row,
// measured, or specified where none was measured. Bandwidths come first; each kind ascends.
[[nodiscard]] std::vector<model::roof> roofs_of(const model::peak& peak, model::backend backend, int threads,
                                                const specified_limit& specified);

// Returns the points where the peaks and bandwidths among the shown roofs meet.
[[nodiscard]] std::vector<model::ridge_point> ridges_of(const std::vector<model::roof>& roofs);

}  // namespace ridge::probe
