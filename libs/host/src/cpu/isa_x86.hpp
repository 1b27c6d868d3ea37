// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/host/isa.hpp>

namespace ridge::host {

// The registers that say what an x86-64 CPU offers (Intel SDM volume 2A, CPUID; volume 1, 13.3 for XCR0).
struct cpuid_words {
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf1_edx = 0;
  std::uint32_t leaf7_ebx = 0;
  std::uint32_t leaf7_ecx = 0;
  std::uint32_t leaf7_edx = 0;
  std::uint32_t leaf7_1_eax = 0;
  std::uint64_t xcr0 = 0;
};

// Returns the names whose CPUID bit is set and whose register state the system saves according to XCR0.
[[nodiscard]] isa_set decode_isa(const cpuid_words& words);

}  // namespace ridge::host
