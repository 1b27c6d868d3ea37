// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/trace_diff.hpp>

namespace ridge::trace {

// How often each name occurs, and its summed time, on both sides: kernels, copies and fills, or operators.
struct count_change {
  std::string name{};
  diff_count count{};
  diff_time busy{};
};
enum class counted : std::uint8_t { device_work, ops };
// Names whose counts differ first (by how much), then the others. In whole traces, or in the steps given.
[[nodiscard]] std::vector<count_change> count_changes(const diff_side& before, const diff_side& after,
                                                      counted what);

}  // namespace ridge::trace
