// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/roofline.hpp>
#include <ridge/model/run.hpp>

namespace ridge::probe {

// The kernels of a family that were timed, without time shares and verdicts; `peak` tells from which sizes on
// arrays live in memory.
[[nodiscard]] std::vector<model::roofline_point> points_of(const model::family& of, const model::peak& peak);

// The level whose bytes a kernel with so many bytes of arrays moves when it is called again and again:
// "DRAM", a cache whose bandwidth is known, or "cache".
[[nodiscard]] std::string level_of(double array_bytes, const model::peak& peak, model::backend backend);

}  // namespace ridge::probe
