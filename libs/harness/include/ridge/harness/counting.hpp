// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ridge {

// No process holds more elements or bytes than this: user space of x86-64 and AArch64 ends there.
inline constexpr std::uint64_t most_things = std::uint64_t{1} << 47;

// A number of things as a real number, exact up to 2^53.
[[nodiscard]] constexpr double as_real(std::size_t count) { return static_cast<double>(count); }
// A number of things for a function that counts with signed numbers.
[[nodiscard]] constexpr std::int64_t as_integer(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

// A signed number, zero or more, as a number of things.
[[nodiscard]] constexpr std::size_t as_count(std::int64_t number) { return static_cast<std::size_t>(number); }
// A number of things for a library that counts in `int`; the caller knows that it fits.
[[nodiscard]] constexpr int as_int(std::size_t count) { return static_cast<int>(count); }
// A number of things for a kernel that counts in `unsigned`; the caller knows that it fits.
[[nodiscard]] constexpr unsigned as_unsigned(std::size_t count) { return static_cast<unsigned>(count); }
// The float nearest to a number: how an oracle in double rounds its result, once.
template <class Number>
  requires std::floating_point<Number> || std::integral<Number>
[[nodiscard]] constexpr float as_float(Number number) {
  return static_cast<float>(number);
}

// a * b. Throws not_enough_memory where that is above most_things, naming both.
[[nodiscard]] std::size_t checked_product(std::size_t a, std::size_t b);

// Elements of an array of these extents: product(rows, columns). Throws not_enough_memory above most_things.
template <std::convertible_to<std::size_t>... Extents>
[[nodiscard]] std::size_t product(std::size_t first, Extents... others) {
  ((first = checked_product(first, static_cast<std::size_t>(others))), ...);
  return first;
}

}  // namespace ridge
