// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/utf8.hpp>

#include <algorithm>

namespace ridge {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t n = lead >= 0xc2 && lead < 0xe0   ? 2
                        : (lead & 0xf0u) == 0xe0u     ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (n == 0 || text.size() < n) return 0;
  if (!std::ranges::all_of(text.substr(1, n - 1), continues)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool beyond = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
  return overlong || beyond ? 0 : n;
}

std::string well_formed_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto length = utf8_sequence_length(text);
    out += length == 0 ? replacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace ridge
