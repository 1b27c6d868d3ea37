// SPDX-License-Identifier: Apache-2.0
#include "text/base64url.hpp"

#include <cstdint>

namespace ridge::server {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<std::uint8_t>(byte);
    for (held += 8; held >= 6; held -= 6) text += alphabet[bits >> (held - 6) & 63U];
    bits &= (1U << held) - 1;
  }
  if (held > 0) text += alphabet[bits << (6 - held) & 63U];
  return text;
}

std::optional<std::string> base64url_decoded(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char letter : text) {
    const auto digit = alphabet.find(letter);
    if (letter == '\0' || digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255U);
    bits &= (1U << held) - 1;
  }
  if (held >= 6 || bits != 0) return std::nullopt;  // a letter too many, or bits that stand for nothing
  return bytes;
}

}  // namespace ridge::server
