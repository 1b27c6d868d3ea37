// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/isa.hpp>

#include <gtest/gtest.h>

#include "cpu/isa_x86.hpp"

namespace ridge::host {
namespace {

constexpr std::uint32_t bit(int n) { return 1u << n; }

cpuid_words sapphire_rapids() {
  return {.leaf1_ecx = bit(28) | bit(12) | bit(29) | bit(20),
          .leaf1_edx = bit(26),
          .leaf7_ebx = bit(5) | bit(16) | bit(17) | bit(30) | bit(31),
          .leaf7_ecx = bit(11),
          .leaf7_edx = bit(22) | bit(23) | bit(24) | bit(25),
          .leaf7_1_eax = bit(4) | bit(5),
          .xcr0 = 0x602e7};
}

TEST(isa, every_bit_of_a_full_cpu_is_named) {
  const auto names = decode_isa(sapphire_rapids());
  for (const auto* name : {"sse2", "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16",
                           "amx_tile", "amx_bf16", "amx_int8", "avx_vnni"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(widest_vector_isa(names), "avx512f");
}

TEST(isa, what_the_kernel_does_not_save_is_not_offered) {
  auto words = sapphire_rapids();
  words.xcr0 = 0x7;
  EXPECT_EQ(widest_vector_isa(decode_isa(words)), "avx2");
  words.xcr0 = 0xe7;
  EXPECT_FALSE(decode_isa(words).contains("amx_tile"));
  EXPECT_TRUE(decode_isa(words).contains("avx512f"));
  words.xcr0 = 0;
  EXPECT_EQ(widest_vector_isa(decode_isa(words)), "sse2");
}

TEST(isa, avx2_without_fma_is_not_a_vector_path) {
  EXPECT_EQ(widest_vector_isa(isa_set{"sse2", "avx2"}), "sse2");
  EXPECT_EQ(widest_vector_isa(isa_set{}), "scalar");
}

#if defined(__x86_64__)
TEST(isa, this_machine_agrees_with_the_compiler_runtime) {
  EXPECT_EQ(has_isa("avx2"), __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(has_isa("avx512f"), __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(has_isa("fma"), __builtin_cpu_supports("fma") != 0);
  EXPECT_FALSE(has_isa("no_such_set"));
}
#endif

}  // namespace
}  // namespace ridge::host
