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
// Whose names are counted.
enum class counted : std::uint8_t { device_work, ops };
// Returns one row per name, those whose counts differ most first. Counts are of the whole traces, or of the
// steps that the sides give.
[[nodiscard]] std::vector<count_change> count_changes(const diff_side& before, const diff_side& after,
                                                      counted kind);

}  // namespace ridge::trace
