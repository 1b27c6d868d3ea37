// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/line.hpp>

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/with_dtype.hpp>

namespace ridge::device {
namespace {

template <std::size_t Bytes>
using bits_of_size =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t,
                                          std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

// The neighbour of x in its type: steps of the sign-magnitude order, both zeros being one.
template <class T>
T neighbour(T x, int direction) {
  using bits = bits_of_size<sizeof(T)>;
  constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  const std::uint64_t from = __builtin_bit_cast(bits, x);
  const auto magnitude = static_cast<std::int64_t>(from & (sign - 1));
  const std::int64_t to = ((from & sign) != 0 ? -magnitude : magnitude) + direction;
  return __builtin_bit_cast(
      T, static_cast<bits>(to < 0 ? static_cast<std::uint64_t>(-to) | sign : static_cast<std::uint64_t>(to)));
}

template <class T>
T nearest(double x) {
  if constexpr (std::is_same_v<T, double>)
    return x;
  else
    return static_cast<T>(static_cast<float>(x));
}

template <class T>
double greatest_below(double limit) {
  T x = nearest<T>(limit);
  while (!(static_cast<double>(x) < limit)) x = neighbour(x, -1);
  while (static_cast<double>(neighbour(x, 1)) < limit) x = neighbour(x, 1);
  return static_cast<double>(x);
}

template <class T>
double least_from(double limit) {
  T x = nearest<T>(limit);
  while (!(static_cast<double>(x) >= limit)) x = neighbour(x, 1);
  while (static_cast<double>(neighbour(x, -1)) >= limit) x = neighbour(x, -1);
  return static_cast<double>(x);
}

template <class T>
inline constexpr bool floats = !std::is_integral_v<T>;

// n has at most 24 bits. Without an offset one correctly rounded product is left; with one, a power-of-two
// scale makes the product exact in fp32, and an offset of like size the sum exact in double.
bool same_in_float(const line& l) {
  const double offset = std::fabs(l.offset), scale = std::fabs(l.scale);
  if (static_cast<float>(l.scale) != l.scale || scale < 0x1p-100 || scale > 0x1p80) return false;
  int exponent = 0;
  const bool power = std::frexp(scale, &exponent) == 0.5;
  if (offset == 0) return true;
  return power && static_cast<float>(offset) == offset && offset >= 0x1p10 * scale &&
         offset <= 0x1p34 * scale;
}

// The message is made only on failure, since parts of an array as small as a cache line are filled one by
// one.
void expects_floating(bool floating, std::string_view distribution_name, dtype type) {
  if (floating) return;
  expects(false,
          fmt::format("{} is drawn for floating types, not {}; use integers", distribution_name, name(type)));
}

}  // namespace

line line_of(const normal& d, dtype type) {
  const bool floating = with_dtype(type, []<class T>() { return floats<T>; });
  expects_floating(floating, "normal", type);
  expects(std::isfinite(d.mean) && std::isfinite(static_cast<float>(d.sigma)),
          "normal: mean and sigma are finite");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  line l{d.mean, static_cast<double>(static_cast<float>(d.sigma)) * 0x1p-16, -infinity, infinity};
  l.in_float = type != dtype::fp64 && same_in_float(l);
  return l;
}

line line_of(const uniform& d, dtype type) {
  expects(std::isfinite(static_cast<float>(d.hi - d.lo)) && d.lo < d.hi, "uniform: lo < hi, both finite");
  const double width = static_cast<float>(d.hi - d.lo);
  line l{d.lo, std::ldexp(width, -static_cast<int>(uniform_bits(type)))};
  with_dtype(type, [&]<class T>() {
    expects_floating(floats<T>, "uniform", type);
    if constexpr (floats<T>) l.least = least_from<T>(d.lo), l.most = greatest_below<T>(d.hi);
  });
  if (l.least > l.most)
    expects(false, fmt::format("uniform: no {} lies in [{}, {})", name(type), d.lo, d.hi));
  l.in_float = type != dtype::fp64 && same_in_float(l);
  return l;
}

}  // namespace ridge::device
