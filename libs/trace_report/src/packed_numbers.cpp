// SPDX-License-Identifier: Apache-2.0
#include "packed_numbers.hpp"

namespace ridge::trace_report {

void append_leb128(std::string& output, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) output += static_cast<char>((n & 0x7F) | 0x80);
  output += static_cast<char>(n);
}

std::uint64_t zigzag(std::int64_t n) {
  const auto doubled = static_cast<std::uint64_t>(n) << 1;
  return n < 0 ? ~doubled : doubled;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : digits[group >> (18 - 6 * j) & 63U];
  }
  return text;
}

}  // namespace ridge::trace_report
