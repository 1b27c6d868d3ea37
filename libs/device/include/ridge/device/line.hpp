// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <ridge/base/dtype.hpp>
#include <ridge/device/distribution.hpp>

namespace ridge::device {

// How a drawn integer n becomes an element: offset + scale * n, kept within [least, most].
//
// `scale` has 24 significant bits and |n| < 2^29, so the product is exact in double and a compiler that
// contracts it into a fused multiply-add changes nothing. The sum is rounded to double, that to the element;
// types narrower than fp32 are rounded to fp32 first. Whenever scale is a power of two near offset, only the
// last step rounds.
struct line {
  double offset = 0;
  double scale = 1;
  double least = 0;
  double most = 0;
  bool in_float = false;  // fp32 arithmetic gives the same bits
};

// sigma is rounded to fp32. Bug: sigma not finite, or `type` not a floating type.
[[nodiscard]] line line_of(const normal& d, dtype type);
// hi - lo is rounded to fp32, every value still lies in [lo, hi). Bug: no number of `type` does, or as above.
[[nodiscard]] line line_of(const uniform& d, dtype type);

// Bits of n that a uniform element uses: the high ones of its word.
[[nodiscard]] constexpr std::uint32_t uniform_bits(dtype type) { return type == dtype::fp64 ? 29 : 24; }

// The element of type T that the drawn integer `n` becomes.
template <class T>
constexpr T element_on(const line& l, std::int32_t n) {
  const double sum = l.offset + l.scale * n;
  using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const wide rounded = static_cast<wide>(sum), least = static_cast<wide>(l.least),
             most = static_cast<wide>(l.most);
  const wide low = rounded < least ? least : rounded;
  return static_cast<T>(low > most ? most : low);
}

}  // namespace ridge::device
