// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/arithmetic_operands.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <type_traits>

namespace ridge::backends::probe_host {
namespace {

using source = std::mt19937;
constexpr std::size_t first_operand = 12;

template <class T>
T element(const operands& operands, std::size_t index) {
  T value;
  std::memcpy(&value, operands.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void set(operands& operands, std::size_t index, T value) {
  std::memcpy(operands.bytes.data() + index * sizeof(T), &value, sizeof(T));
}

// IEEE 754 binary16 as its bits, for normal numbers and zero only.
struct half {
  std::uint16_t bits;
};

double to_double(float x) { return static_cast<double>(x); }
double to_double(double x) { return x; }
double to_double(half h) {
  const int exponent = (h.bits >> 10) & 31;
  const double size =
      exponent == 0 ? 0 : std::ldexp(1 + static_cast<double>(h.bits & 1023) / 1024, exponent - 15);
  return (h.bits & 0x8000) != 0 ? -size : size;
}

template <class T>
T rounded(double x) {
  return static_cast<T>(x);
}
template <>
half rounded<half>(double x) {
  if (x == 0) return {0};
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(x), &exponent);  // in [0.5, 1)
  const auto bits = static_cast<int>(std::nearbyint(mantissa * 2048)) + ((exponent + 13) << 10);
  return {static_cast<std::uint16_t>(bits | (x < 0 ? 0x8000 : 0))};
}

template <class T>
T below(T x) {
  return std::nextafter(x, T{0});
}
template <>
half below(half x) {
  return {static_cast<std::uint16_t>(x.bits - 1)};
}

double uniform_between(source& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}

// g is just below 1/f and e = -d g: a pair of steps leaves x where it was, except for its last bits.
template <class T>
void fill_multiply_add(operands& operands, std::size_t lanes, source& random) {
  for (std::size_t i = 0; i < first_operand * lanes; ++i)
    set(operands, i, rounded<T>(uniform_between(random, 1, 2)));
  for (std::size_t i = first_operand * lanes; i < (first_operand + 1) * lanes; ++i) {
    const auto f = rounded<T>(uniform_between(random, 1.1, 1.9)),
               d = rounded<T>(uniform_between(random, 0.25, 0.5));
    auto g = rounded<T>(1 / to_double(f));
    if (to_double(f) * to_double(g) >= 1) g = below(g);
    set(operands, i, f), set(operands, i + lanes, d), set(operands, i + 2 * lanes, g);
    set(operands, i + 3 * lanes, rounded<T>(-to_double(d) * to_double(g)));
  }
}

// m = -1: x alternates between d - x and x.
template <class T>
void fill_multiply_and_add(operands& operands, std::size_t lanes, source& random) {
  for (std::size_t i = 0; i < 14 * lanes; ++i) set(operands, i, rounded<T>(uniform_between(random, 1, 2)));
  for (std::size_t i = 14 * lanes; i < 15 * lanes; ++i)
    set(operands, i, T{-1}), set(operands, i + lanes, rounded<T>(uniform_between(random, 2, 3)));
}

std::uint16_t random_bf16(source& random) {
  const auto x = static_cast<float>(uniform_between(random, 1, 2) * (random() % 2 == 0 ? 0.125 : -0.125));
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16);
}

double from_bf16(std::uint16_t x) { return to_double(std::bit_cast<float>(std::uint32_t{x} << 16)); }

// Writes narrow numbers everywhere, then accumulators over those that are not operands.
void fill_dot(operands& operands, number type, std::size_t accumulator_bytes, source& random) {
  for (std::size_t i = 0; i < operands.bytes.size() / 2; ++i)
    set(operands, i, type == number::bf16 ? random_bf16(random) : static_cast<std::uint16_t>(random()));
  for (std::size_t i = 0; i < accumulator_bytes / 4; ++i) {
    if (type == number::bf16)
      set(operands, i, static_cast<float>(uniform_between(random, 1, 2)));
    else
      set(operands, i, static_cast<std::int32_t>(random()));
  }
}

template <class T>
double after_multiply_adds(const operands& start, std::size_t offset, std::size_t lanes, std::int64_t rounds,
                           bool fused) {
  const auto lane = first_operand * lanes + offset % lanes;
  auto x = element<T>(start, offset);
  const auto step = [&](T factor, T addend) {
    if (fused) return std::fma(x, factor, addend);
    const volatile T product = x * factor;
    return product + addend;
  };
  for (rounds *= 2; rounds > 0; --rounds) {
    x = step(element<T>(start, lane), element<T>(start, lane + lanes));
    x = step(element<T>(start, lane + 2 * lanes), element<T>(start, lane + 3 * lanes));
  }
  return to_double(x);
}

double after_half_multiply_adds(const operands& start, std::size_t offset, std::int64_t rounds) {
  const auto lane = first_operand * 32 + offset % 32;
  double x = to_double(element<half>(start, offset));
  for (rounds *= 2; rounds > 0; --rounds) {
    for (const std::size_t r : {std::size_t{0}, std::size_t{64}}) {
      x = x * to_double(element<half>(start, lane + r)) + to_double(element<half>(start, lane + r + 32));
      x = to_double(rounded<half>(x));
    }
  }
  return x;
}

// There are three steps per round of multiply-adds and four of additions; all are x <- d - x.
template <class T>
double after_both(const operands& start, std::size_t offset, std::size_t lanes, std::int64_t rounds) {
  auto x = element<T>(start, offset);
  const T d = element<T>(start, 15 * lanes + offset % lanes);
  for (auto steps = rounds * (offset / lanes < 8 ? 3 : 4); steps > 0; --steps) x = d - x;
  return to_double(x);
}

// Returns the product of the narrow numbers at these bytes: pairs, or fours of int8, the first unsigned where
// `mixed`.
double product(const operands& operands, number type, std::size_t a, std::size_t b, bool mixed) {
  double sum = 0;
  const auto narrow = [&](std::size_t byte, bool is_unsigned) -> double {
    const auto at = operands.bytes.data() + byte;
    if (type == number::int8) {
      const auto bits = std::to_integer<std::uint8_t>(*at);
      return is_unsigned ? bits : static_cast<std::int8_t>(bits);
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, 2);
    return type == number::bf16 ? from_bf16(bits) : static_cast<std::int16_t>(bits);
  };
  for (std::size_t i = 0; i < 4; i += type == number::int8 ? 1 : 2)
    sum += narrow(a + i, mixed) * narrow(b + i, false);
  return sum;
}

double accumulate(const operands& start, number type, std::size_t offset, double added, std::int64_t rounds) {
  if (type == number::bf16)
    return to_double(element<float>(start, offset)) + static_cast<double>(rounds) * added;
  const auto total =
      static_cast<std::uint64_t>(element<std::int32_t>(start, offset)) +
      static_cast<std::uint64_t>(rounds) * static_cast<std::uint64_t>(static_cast<std::int64_t>(added));
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(total));
}

double dot_added(const arithmetic_kernel& kernel, const operands& start, std::size_t offset) {
  const auto width = static_cast<std::size_t>(kernel.vector_bytes);
  const auto lane = first_operand * width + 4 * offset % width;
  return product(start, kernel.type, lane, lane + width, true) +
         product(start, kernel.type, lane + 2 * width, lane + 3 * width, true);
}

double tile_added(const arithmetic_kernel& kernel, const operands& start, std::size_t offset) {
  const auto tile = offset / 256, row = offset % 256 / 16, column = offset % 16;
  const auto a = (4 + tile / 2) * tile_bytes + 64 * row, b = (6 + tile % 2) * tile_bytes + 4 * column;
  double sum = 0;
  for (std::size_t k = 0; k < 16; ++k) sum += product(start, kernel.type, a + 4 * k, b + 64 * k, false);
  return sum;
}

std::size_t element_bytes(const arithmetic_kernel& kernel) {
  return kernel.type == number::fp64 ? 8 : kernel.type == number::fp16 ? 2 : 4;
}

std::size_t registers_of(const arithmetic_kernel& kernel) {
  return kernel.op == operation::tiles ? 4 : kernel.op == operation::multiply_and_add ? 14 : first_operand;
}

}  // namespace

std::size_t accumulated(const arithmetic_kernel& kernel) {
  return registers_of(kernel) * static_cast<std::size_t>(kernel.vector_bytes) / element_bytes(kernel);
}

operands random_operands(const arithmetic_kernel& kernel) {
  operands in;
  source random(20261121);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same operands in every run
  const auto lanes = static_cast<std::size_t>(kernel.vector_bytes) / element_bytes(kernel);
  const bool doubles = kernel.type == number::fp64;
  if (kernel.op == operation::multiply_and_add)
    doubles ? fill_multiply_and_add<double>(in, lanes, random)
            : fill_multiply_and_add<float>(in, lanes, random);
  else if (kernel.op != operation::multiply_add)
    fill_dot(in, kernel.type, 4 * accumulated(kernel), random);
  else if (kernel.type == number::fp16)
    fill_multiply_add<half>(in, lanes, random);
  else
    doubles ? fill_multiply_add<double>(in, lanes, random) : fill_multiply_add<float>(in, lanes, random);
  return in;
}

double value_at(const arithmetic_kernel& kernel, const operands& operands, std::size_t offset) {
  switch (kernel.type) {
    case number::fp64:
      return element<double>(operands, offset);
    case number::fp16:
      return to_double(element<half>(operands, offset));
    case number::fp32:
    case number::bf16:
      return to_double(element<float>(operands, offset));
    case number::int8:
    case number::int16:
      break;
  }
  return element<std::int32_t>(operands, offset);
}

double expected_after(const arithmetic_kernel& kernel, const operands& start, std::size_t offset,
                      std::int64_t rounds) {
  const auto lanes = static_cast<std::size_t>(kernel.vector_bytes) / element_bytes(kernel);
  const bool doubles = kernel.type == number::fp64, fused = kernel.isa != "sse2" && kernel.isa != "portable";
  if (kernel.op == operation::tiles)
    return accumulate(start, kernel.type, offset, tile_added(kernel, start, offset), rounds);
  if (kernel.op == operation::dot)
    return accumulate(start, kernel.type, offset, dot_added(kernel, start, offset), 2 * rounds);
  if (kernel.op == operation::multiply_and_add)
    return doubles ? after_both<double>(start, offset, lanes, rounds)
                   : after_both<float>(start, offset, lanes, rounds);
  if (kernel.type == number::fp16) return after_half_multiply_adds(start, offset, rounds);
  return doubles ? after_multiply_adds<double>(start, offset, lanes, rounds, fused)
                 : after_multiply_adds<float>(start, offset, lanes, rounds, fused);
}

double tolerance_of(const arithmetic_kernel& kernel) {
  if (kernel.isa == "portable") return 1e-4;  // the compiler may fuse
  return kernel.type == number::bf16 ? 1e-3 : 0;
}

}  // namespace ridge::backends::probe_host
