// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/kernels/engine_profile.hpp>

#include "silicon_model.hpp"

namespace ridge::plan_test {

inline constexpr double longest_ttft_s = 60;  // a row beyond shows an overloaded server; its TTFT is left out

// Fits the constants of an engine to measured rows, by descent along one constant at a time: the least mean
// of capped |ln(predicted / measured)| of TPOT and, half as heavy, TTFT, over all paths of kernel times.
[[nodiscard]] plan::kernels::engine_profile fit_engine(const std::string& engine,
                                                       const std::vector<silicon_row>& rows,
                                                       const std::vector<silicon_model*>& paths);

// At most so many rows, spread evenly.
[[nodiscard]] std::vector<silicon_row> thinned(const std::vector<silicon_row>& rows, std::size_t most);

}  // namespace ridge::plan_test
