// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// The decimal `text` times ten to `power`, exactly, half to even where that is no integer. nullopt: no
// number, or more than 64 bits hold.
[[nodiscard]] std::optional<std::int64_t> scaled_integer(std::string_view text, int power);

// Any value: a number, or a text that holds one, times ten to `power`. What is none (null, true, a list, NaN)
// is skipped and leaves `into` as it is.
const char* read_scaled(const char* at, json_text& in, int power, std::optional<std::int64_t>& into);
const char* read_real(const char* at, json_text& in, std::optional<double>& into);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool ends_number(char c) {
  return c == ',' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == ']';
}

inline constexpr std::uint64_t powers_of_ten[]{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// The first digits among eight bytes.
struct digits_of_eight {
  unsigned count = 0;
  std::uint64_t value = 0;
};

// Eight digits are added up in pairs, pairs of pairs, and once more, all in one word.
inline digits_of_eight digits_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
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

// Up to sixteen digits; the place behind them.
inline const char* read_digits(const char* at, std::uint64_t& value) {
  const auto first = digits_at(at);
  value = first.value;
  if (first.count < 8) return at + first.count;
  const auto second = digits_at(at + 8);
  value = value * powers_of_ten[second.count] + second.value;
  return at + 8 + second.count;
}

// The same, fast where it is a plain number. Microseconds become nanoseconds.
inline const char* read_time(const char* at, json_text& in, std::optional<std::int64_t>& into) {
  constexpr std::uint64_t most = 9'000'000'000'000'000;
  std::uint64_t us = 0;
  const auto* next = read_digits(at, us);
  if (next == at || us > most) return read_scaled(at, in, 3, into);
  std::uint64_t ns = us * 1000;
  if (*next == '.' && is_digit(next[1]) && is_digit(next[2]) && is_digit(next[3])) {
    ns += static_cast<std::uint64_t>((next[1] - '0') * 100 + (next[2] - '0') * 10 + (next[3] - '0'));
    next += 4;
  }
  if (!ends_number(*next)) return read_scaled(at, in, 3, into);
  into = static_cast<std::int64_t>(ns);
  return next;
}

inline const char* read_integer(const char* at, json_text& in, std::optional<std::int64_t>& into) {
  std::uint64_t value = 0;
  const auto* next = read_digits(at, value);
  if (next == at || !ends_number(*next)) return read_scaled(at, in, 0, into);
  into = static_cast<std::int64_t>(value);
  return next;
}

}  // namespace ridge::backends::trace_chrome_json
