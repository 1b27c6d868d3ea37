// SPDX-License-Identifier: Apache-2.0
#include "cpu/isa_x86.hpp"

namespace ridge::host {
namespace {

constexpr std::uint64_t state_none = 0;
constexpr std::uint64_t state_avx = 0x6;
constexpr std::uint64_t state_avx512 = 0xe6;
constexpr std::uint64_t state_amx = 0x60000;

struct feature {
  const char* name;
  std::uint32_t cpuid_words::*word;
  int bit;
  std::uint64_t state;
};

constexpr feature features[] = {
    {"sse2", &cpuid_words::leaf1_edx, 26, state_none},
    {"sse4_2", &cpuid_words::leaf1_ecx, 20, state_none},
    {"avx", &cpuid_words::leaf1_ecx, 28, state_avx},
    {"fma", &cpuid_words::leaf1_ecx, 12, state_avx},
    {"f16c", &cpuid_words::leaf1_ecx, 29, state_avx},
    {"avx2", &cpuid_words::leaf7_ebx, 5, state_avx},
    {"avx_vnni", &cpuid_words::leaf7_1_eax, 4, state_avx},
    {"avx512f", &cpuid_words::leaf7_ebx, 16, state_avx512},
    {"avx512dq", &cpuid_words::leaf7_ebx, 17, state_avx512},
    {"avx512bw", &cpuid_words::leaf7_ebx, 30, state_avx512},
    {"avx512vl", &cpuid_words::leaf7_ebx, 31, state_avx512},
    {"avx512_vnni", &cpuid_words::leaf7_ecx, 11, state_avx512},
    {"avx512_bf16", &cpuid_words::leaf7_1_eax, 5, state_avx512},
    {"avx512_fp16", &cpuid_words::leaf7_edx, 23, state_avx512},
    {"amx_bf16", &cpuid_words::leaf7_edx, 22, state_amx},
    {"amx_tile", &cpuid_words::leaf7_edx, 24, state_amx},
    {"amx_int8", &cpuid_words::leaf7_edx, 25, state_amx},
};

}  // namespace

isa_set decode_isa(const cpuid_words& words) {
  isa_set names;
  for (const auto& f : features) {
    const bool offered = ((words.*f.word >> f.bit) & 1u) != 0;
    const bool saved = (words.xcr0 & f.state) == f.state;
    if (offered && saved) names.insert(f.name);
  }
  return names;
}

}  // namespace ridge::host
