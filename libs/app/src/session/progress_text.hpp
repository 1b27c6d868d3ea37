// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <ridge/harness/listener.hpp>

namespace ridge::app {

// Returns "▕███       ▏ 3/10 · 25 s left · ch01.coalescing stride=64 · measure" within so many columns: the
// stage is left out first, then the problem, then the end of the name; never the time that is left.
[[nodiscard]] std::string progress_text(const harness::progress& state, double share,
                                        std::optional<double> left_s, std::size_t columns);

}  // namespace ridge::app
