// SPDX-License-Identifier: Apache-2.0
#include "records.hpp"

#include <algorithm>

namespace ridge::experiments::ch01_goodput_loop {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}
constexpr auto crc_table = make_crc_table();

std::byte low_byte(std::uint32_t value) { return static_cast<std::byte>(value & 0xFFU); }
// Returns the feature that a code of 12 bits stands for.
float feature_of(std::uint32_t code) { return (static_cast<float>(code) - 2048) / 512; }
std::uint32_t number(std::byte b) { return std::to_integer<std::uint32_t>(b); }

std::uint32_t stored_crc(std::span<const std::byte> record) {
  return number(record[0]) | number(record[1]) << 8U | number(record[2]) << 16U | number(record[3]) << 24U;
}

// Returns the sum of the eight bytes, which is about normal with mean 1020 and standard deviation 209.
std::uint32_t byte_sum(std::uint64_t bits) {
  std::uint32_t sum = 0;
  for (; bits != 0; bits >>= 8U) sum += static_cast<std::uint32_t>(bits & 0xFFU);
  return sum;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t c = 0xFFFFFFFFU;
  for (const auto b : bytes) c = crc_table[(c ^ number(b)) & 0xFFU] ^ (c >> 8U);
  return ~c;
}

void encode_record(const codes& source, std::uint8_t label, std::span<std::byte> target) {
  std::ranges::fill(target.first(record_header_bytes), std::byte{0});
  target[4] = static_cast<std::byte>(label);
  auto* at = target.data() + record_header_bytes;
  for (std::size_t i = 0; i < source.size(); i += 2, at += 3) {
    const std::uint32_t both = source[i] | static_cast<std::uint32_t>(source[i + 1]) << 12U;
    at[0] = low_byte(both);
    at[1] = low_byte(both >> 8U);
    at[2] = low_byte(both >> 16U);
  }
  const auto crc = crc32(target.subspan(4, record_bytes - 4));
  for (std::size_t i = 0; i < 4; ++i) target[i] = low_byte(crc >> (8 * i));
}

bool decode_record(std::span<const std::byte> record, std::span<float> features, std::uint8_t& label) {
  label = std::to_integer<std::uint8_t>(record[4]);
  if (label >= classes || crc32(record.subspan(4, record_bytes - 4)) != stored_crc(record)) return false;
  const auto* at = record.data() + record_header_bytes;
  for (std::size_t i = 0; i < features_per_record; i += 2, at += 3) {
    const std::uint32_t both = number(at[0]) | number(at[1]) << 8U | number(at[2]) << 16U;
    features[i] = feature_of(both & 0xFFFU);
    features[i + 1] = feature_of(both >> 12U);
  }
  return true;
}

void draw_records(std::span<std::byte> bytes, std::uint64_t key) {
  splitmix_generator draw(key);
  std::array<codes, classes> patterns{};
  for (auto& pattern : patterns) {
    for (auto& level : pattern) level = static_cast<std::uint16_t>(draw.below(128));
  }
  std::ranges::fill(bytes, std::byte{0});
  codes sample{};
  for (std::size_t at = 0; at + record_bytes <= bytes.size(); at += record_bytes) {
    const auto label = static_cast<std::uint8_t>(draw.below(classes));
    for (std::size_t i = 0; i < sample.size(); ++i) {
      sample[i] = static_cast<std::uint16_t>(2048 - 1020 - 64 + byte_sum(draw()) + patterns[label][i]);
    }
    encode_record(sample, label, bytes.subspan(at, record_bytes));
  }
}

}  // namespace ridge::experiments::ch01_goodput_loop
