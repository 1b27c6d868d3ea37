// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <ridge/device/line.hpp>

namespace ridge::backends::device_cuda {

// element_on, in fp32 where that gives the same bits.
template <class T>
struct on_line {
  device::line l;
  float offset, scale, least, most;
  std::uint32_t shift;

  explicit on_line(const device::line& rule, std::uint32_t unused_bits)
      : l(rule),
        offset(static_cast<float>(rule.offset)),
        scale(static_cast<float>(rule.scale)),
        least(static_cast<float>(rule.least)),
        most(static_cast<float>(rule.most)),
        shift(unused_bits) {}

  __device__ T of(std::int32_t n) const {
    if constexpr (!std::is_same_v<T, double>) {
      if (l.in_float) {
        const float x = __fadd_rn(offset, __fmul_rn(scale, static_cast<float>(n)));
        const float low = x < least ? least : x;
        return static_cast<T>(low > most ? most : low);
      }
    }
    return device::element_on<T>(l, n);
  }
  __device__ T operator()(std::uint32_t word) const { return of(static_cast<std::int32_t>(word >> shift)); }
};

}  // namespace ridge::backends::device_cuda
