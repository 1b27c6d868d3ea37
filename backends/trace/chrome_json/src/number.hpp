// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// Returns the decimal `text` times ten to the power `power`, exactly, rounded half to even where that is not
// an integer. nullopt: it is not a number or exceeds 64 bits.
[[nodiscard]] std::optional<std::int64_t> scaled_integer(std::string_view text, int power);

// Reads any value: a number, or a text that holds one, times ten to the power `power`. Other values (null,
// true, a list, NaN) are skipped and leave `number` unchanged.
const char* read_scaled(const char* position, json_text& text, int power,
                        std::optional<std::int64_t>& number);
const char* read_real(const char* position, json_text& text, std::optional<double>& number);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool ends_number(char c) {
  return c == ',' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == ']';
}

inline constexpr std::uint64_t powers_of_ten[]{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// The digits that lead eight bytes: their number and their value.
struct digits_of_eight {
  unsigned count = 0;
  std::uint64_t value = 0;
};

// Adds up eight digits in pairs, then in pairs of pairs, and once more, all in one word.
inline digits_of_eight digits_at(const char* position) {
  std::uint64_t word = 0;
  std::memcpy(&word, position, sizeof word);
  word ^= 0x3030303030303030U;
  const auto others = (((word & 0x7f7f7f7f7f7f7f7fU) + 0x7676767676767676U) | word) & 0x8080808080808080U;
  const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) return {};
  word <<= 64 - 8 * count;
  word = word * 10 + (word >> 8);
  const auto low = (word & 0x000000ff000000ffU) * 0x000f424000000064U;
  const auto high = (word >> 16 & 0x000000ff000000ffU) * 0x0000271000000001U;
  return {count, (low + high) >> 32};
}

// Reads up to sixteen digits and returns the position behind them.
inline const char* read_digits(const char* position, std::uint64_t& value) {
  const auto first = digits_at(position);
  value = first.value;
  if (first.count < 8) return position + first.count;
  const auto second = digits_at(position + 8);
  value = value * powers_of_ten[second.count] + second.value;
  return position + 8 + second.count;
}

// The same, faster for a plain number. Microseconds become nanoseconds.
inline const char* read_time(const char* position, json_text& text, std::optional<std::int64_t>& value) {
  constexpr std::uint64_t most = 9'000'000'000'000'000;
  std::uint64_t us = 0;
  const auto* next = read_digits(position, us);
  if (next == position || us > most) return read_scaled(position, text, 3, value);
  std::uint64_t ns = us * 1000;
  if (*next == '.' && is_digit(next[1]) && is_digit(next[2]) && is_digit(next[3])) {
    ns += static_cast<std::uint64_t>((next[1] - '0') * 100 + (next[2] - '0') * 10 + (next[3] - '0'));
    next += 4;
  }
  if (!ends_number(*next)) return read_scaled(position, text, 3, value);
  value = static_cast<std::int64_t>(ns);
  return next;
}

inline const char* read_integer(const char* position, json_text& text, std::optional<std::int64_t>& number) {
  std::uint64_t value = 0;
  const auto* next = read_digits(position, value);
  if (next == position || !ends_number(*next)) return read_scaled(position, text, 0, number);
  number = static_cast<std::int64_t>(value);
  return next;
}

}  // namespace ridge::backends::trace_chrome_json
