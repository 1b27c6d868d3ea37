// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::experiments::ch01_graph_launch {

inline constexpr std::size_t chain_length = 256;  // operations

}  // namespace ridge::experiments::ch01_graph_launch
