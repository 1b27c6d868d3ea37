// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <ridge/base/dtype.hpp>
#include <ridge/device/array_summaries.hpp>

namespace ridge::device {

// The sums of array_summaries::block_sums for host memory: `blocks` >= 1 parts of ceil(count / blocks)
// elements, the last ones shorter or empty. Element i of a part goes to one of 16 partial sums, i modulo 16,
// added up in pairs at the end. 64-bit integers are rounded to double first.
[[nodiscard]] std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                std::size_t blocks);

}  // namespace ridge::device
