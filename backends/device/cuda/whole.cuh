// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace ridge::backends::device_cuda {

// A whole number that T holds, as fill.cpp of libs/device makes it.
template <class T>
__device__ T whole(std::uint64_t value) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>)
    return static_cast<T>(value);
  else
    return static_cast<T>(static_cast<float>(value));
}

}  // namespace ridge::backends::device_cuda
