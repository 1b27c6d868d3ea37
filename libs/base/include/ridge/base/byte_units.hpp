// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Binary multiples of a byte (IEC 80000-13).
namespace ridge {

inline constexpr std::int64_t kib = 1024;
inline constexpr std::int64_t mib = 1024 * kib;
inline constexpr std::int64_t gib = 1024 * mib;

}  // namespace ridge
