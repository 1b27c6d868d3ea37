// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::experiments::ch01_timing_pitfalls {

// Writes the lines of `data` back to memory and drops them from every cache of the machine (x86-64: CLFLUSH,
// AArch64: DC CIVAC; elsewhere nothing happens).
void flush_lines(std::span<const std::byte> data);

}  // namespace ridge::experiments::ch01_timing_pitfalls
