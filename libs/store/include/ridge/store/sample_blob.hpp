// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::store {

// Returns the samples of a series as bytes, without the metric. Little-endian: u8 version = 1, u8 columns
// present (1 block, 2 position, 4 marked), u16 zero, u32 count, then whole columns: float64 value, u32 block,
// u8 position, u8 marked. A sample takes 14 bytes with all columns.
[[nodiscard]] std::vector<std::byte> encode(const model::series& samples);

// Fills the columns of `decoded`; returns an error when the bytes are not in this format.
[[nodiscard]] result<void> decode(std::span<const std::byte> bytes, model::series& decoded);

}  // namespace ridge::store
