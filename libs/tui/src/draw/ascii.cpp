// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include <ridge/base/utf8.hpp>
#include <ridge/tui/grid.hpp>

namespace ridge::tui {
namespace {

using replacement = std::pair<std::string_view, std::string_view>;
constexpr std::array replacements = std::to_array<replacement>({
    {"─", "-"}, {"━", "-"}, {"│", "|"}, {"┃", "|"}, {"┤", "+"}, {"├", "+"}, {"└", "+"}, {"┌", "+"},
    {"┐", "+"}, {"┘", "+"}, {"┼", "+"}, {"┴", "+"}, {"┬", "+"}, {"╵", "'"}, {"╴", "-"}, {"╶", "-"},
    {"●", "o"}, {"○", "o"}, {"▸", ">"}, {"▴", "^"}, {"▾", "v"}, {"‹", "<"}, {"›", ">"}, {"·", "."},
    {"…", "~"}, {"×", "x"}, {"µ", "u"}, {"±", "~"}, {"█", "#"}, {"▏", "|"}, {"▕", "|"}, {"°", "o"},
    {" ", " "}, {" ", " "}, {"–", "-"}, {"−", "-"}, {"→", ">"}, {"←", "<"}, {"↑", "^"}, {"↓", "v"},
    {"≤", "<"}, {"≥", ">"}, {"≈", "~"}, {"²", "2"}, {"³", "3"}, {"’", "'"}, {"█", "#"}, {"▁", "_"},
});

// Returns the code point of a well-formed sequence of three bytes.
std::uint32_t of_three_bytes(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  return ((byte(0) & 0x0fU) << 12U) | ((byte(1) & 0x3fU) << 6U) | (byte(2) & 0x3fU);
}

char ascii_character(std::string_view sequence) {
  if (sequence.size() == 1) return sequence.front();
  const auto* const found = std::ranges::find(replacements, sequence, &replacement::first);
  if (found != replacements.end()) return found->second.front();
  if (sequence.size() == 3) {
    const auto point = of_three_bytes(sequence);
    constexpr std::uint32_t first_braille = 0x2800, last_braille = 0x28ff, first_bar = 0x2581,
                            last_bar = 0x258f;
    constexpr std::string_view by_dots = " ..::oo##";
    if (point >= first_braille && point <= last_braille)
      return by_dots[static_cast<std::size_t>(std::popcount(point - first_braille))];
    if (point >= first_bar && point <= last_bar) return point < 0x2584 ? '.' : '#';
  }
  return '?';
}

}  // namespace

std::string ascii_of(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const auto length = utf8_sequence_length(text);
    all += length == 0 ? '?' : ascii_character(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return all;
}

}  // namespace ridge::tui
