// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/roofline.hpp>
#include <ridge/model/run.hpp>

namespace ridge::probe {

// Returns the kernels of a family that were timed, without time shares and verdicts; `peak` tells from which
// size on arrays lie in memory.
[[nodiscard]] std::vector<model::roofline_point> points_of(const model::family& family,
                                                           const model::peak& peak);

// Returns the level whose bytes a kernel with arrays of this size moves when it is called repeatedly: "DRAM",
// a cache whose bandwidth is known, or "cache".
[[nodiscard]] std::string level_of(double array_bytes, const model::peak& peak, model::backend backend);

}  // namespace ridge::probe
