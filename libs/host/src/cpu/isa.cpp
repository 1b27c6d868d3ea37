// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/isa.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include "cpu/isa_x86.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace ridge::host {
namespace {

#if defined(__x86_64__)

std::uint64_t read_xcr0() {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

isa_set read_isa() {
  cpuid_words words;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) words.leaf1_ecx = c, words.leaf1_edx = d;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) {
    words.leaf7_ebx = b, words.leaf7_ecx = c, words.leaf7_edx = d;
    if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) words.leaf7_1_eax = a;
  }
  constexpr std::uint32_t osxsave = 1u << 27;
  if ((words.leaf1_ecx & osxsave) != 0) words.xcr0 = read_xcr0();
  return decode_isa(words);
}

#elif defined(__aarch64__)

isa_set read_isa() {
  isa_set names{"neon"};
  const auto add = [&](bool has, const char* name) {
    if (has) names.insert(name);
  };
  const auto first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
  add((first & HWCAP_FPHP) != 0, "fp16");
  add((first & HWCAP_ASIMDDP) != 0, "dotprod");
  add((first & HWCAP_SVE) != 0, "sve");
  add((second & HWCAP2_SVE2) != 0, "sve2");
  add((second & HWCAP2_BF16) != 0, "bf16");
  add((second & HWCAP2_I8MM) != 0, "i8mm");
  return names;
}

#else

isa_set read_isa() { return {}; }

#endif

}  // namespace

const isa_set& isa_names() {
  static const isa_set names = read_isa();
  return names;
}

bool has_isa(std::string_view name) { return isa_names().contains(name); }

std::string_view widest_vector_isa(const isa_set& names) {
  if (names.contains("avx512f")) return "avx512f";
  if (names.contains("avx2") && names.contains("fma")) return "avx2";
  for (const std::string_view name : {"sse2", "sve", "neon"}) {
    if (names.contains(name)) return name;
  }
  return "scalar";
}

std::string_view widest_vector_isa() { return widest_vector_isa(isa_names()); }

bool request_amx() {
#if defined(__x86_64__)
  constexpr int request_permission = 0x1023;
  constexpr int tile_data = 18;
  return has_isa("amx_tile") && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

}  // namespace ridge::host
