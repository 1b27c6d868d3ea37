// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <ridge/base/splitmix.hpp>

namespace ridge::experiments::ch01_goodput_loop {

// A record of the training file: CRC-32 of the rest (little-endian), the label, three zero bytes, then the
// features as 12-bit codes, two in three bytes, the lower code in the lower bits.
inline constexpr std::size_t features_per_record = 256;
inline constexpr std::size_t classes = 10;
inline constexpr std::size_t record_header_bytes = 8;
inline constexpr std::size_t record_bytes = record_header_bytes + features_per_record * 3 / 2;

using codes = std::array<std::uint16_t, features_per_record>;  // each below 4096; 2048 stands for 0

// Returns the reflected CRC-32 of IEEE 802.3.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes);

// Writes one record of record_bytes to `target`.
void encode_record(const codes& source, std::uint8_t label, std::span<std::byte> target);
// Sets each feature to (code - 2048) / 512. Returns false, with the outputs undefined, when the checksum or
// the label is wrong.
[[nodiscard]] bool decode_record(std::span<const std::byte> record, std::span<float> features,
                                 std::uint8_t& label);

// Fills bytes with records whose classes can be told apart: each class has a pattern of its own, drawn from
// the key, that lies under noise. Bytes that do not make a whole record are left zero.
void draw_records(std::span<std::byte> bytes, std::uint64_t key);

// Sets `order` to a permutation of 0 .. size-1 that depends on the seed alone (Fisher-Yates).
inline void draw_order(std::span<std::uint32_t> order, std::uint64_t seed) {
  splitmix_generator draw(seed);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
}

}  // namespace ridge::experiments::ch01_goodput_loop
