// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::experiments::ch01_goodput_loop {

// A record of the training file: CRC-32 of the rest (little-endian), the label, three zero bytes, then the
// features as 12-bit codes, two in three bytes, the lower code in the lower bits.
inline constexpr std::size_t features_per_record = 256;
inline constexpr std::size_t classes = 10;
inline constexpr std::size_t record_header_bytes = 8;
inline constexpr std::size_t record_bytes = record_header_bytes + features_per_record * 3 / 2;

using codes = std::array<std::uint16_t, features_per_record>;  // each below 4096; 2048 stands for 0

// Reflected CRC-32 of IEEE 802.3, a byte at a time.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes);

void encode_record(const codes& source, std::uint8_t label, std::span<std::byte> target);
// Features become (code - 2048) / 512. False, with the outputs undefined, when the checksum or the label is
// wrong.
[[nodiscard]] bool decode_record(std::span<const std::byte> record, std::span<float> features,
                                 std::uint8_t& label);

// Fills bytes with records whose classes can be told apart: each class has a pattern of its own, drawn from
// the key, that lies under noise. Bytes that do not make a whole record are left zero.
void draw_records(std::span<std::byte> bytes, std::uint64_t key);

}  // namespace ridge::experiments::ch01_goodput_loop
