// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#include "../core_type.hpp"

namespace ridge::vendor {
namespace {

constexpr std::array<float, 6> a{1, 2, 3, 4, 5, 6};        // 2×3
constexpr std::array<float, 6> b{7, 8, 9, 10, 11, 12};     // 3×2
constexpr std::array<float, 4> product{58, 64, 139, 154};  // by hand

template <class T>
std::vector<T> converted(const std::array<float, 6>& values) {
  return {values.begin(), values.end()};
}

TEST(core_type, the_widest_kernels_that_run_here) {
  const host::isa_set avx2{"sse2", "avx2", "fma"};
  auto avx512 = avx2;
  avx512.insert({"avx512f", "avx512dq", "avx512bw", "avx512vl"});
  auto bf16 = avx512;
  bf16.insert("avx512_bf16");
  EXPECT_EQ(openblas_core_type(avx2, "GenuineIntel"), "Haswell");
  EXPECT_EQ(openblas_core_type(avx2, "AuthenticAMD"), "Zen");
  EXPECT_EQ(openblas_core_type(avx512, "AuthenticAMD"), "SkylakeX");
  EXPECT_EQ(openblas_core_type(bf16, "GenuineIntel"), "Cooperlake");
  EXPECT_EQ(openblas_core_type({"sse2"}, "GenuineIntel"), "");
}

TEST(openblas, multiplies_or_says_how_to_get_it) {
  const auto found = find_openblas();
  std::array<float, 4> c{};
  const auto call = [&] {
    cblas_sgemm(cblas_row_major, cblas_no_trans, cblas_no_trans, 2, 2, 3, 1, a.data(), 3, b.data(), 2, 0,
                c.data(), 2);
  };
  if (!found) {
    EXPECT_NE(found.why().remedy.find("apt-get install"), std::string::npos);
    EXPECT_THROW(call(), unavailable);
    return;
  }
  call();
  EXPECT_EQ(c, product);
  EXPECT_NE(found.value().find(openblas_get_corename()), std::string::npos);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
}

TEST(onednn, multiplies_in_every_type_or_says_how_to_get_it) {
  const auto found = find_onednn();
  std::array<float, 4> c{};
  if (!found) {
    EXPECT_NE(found.why().remedy.find("apt-get install"), std::string::npos);
    EXPECT_THROW(dnnl_sgemm('N', 'N', 2, 2, 3, 1, a.data(), 3, b.data(), 2, 0, c.data(), 2), unavailable);
    return;
  }
  EXPECT_EQ(dnnl_sgemm('N', 'N', 2, 2, 3, 1, a.data(), 3, b.data(), 2, 0, c.data(), 2), 0);
  EXPECT_EQ(c, product);
  const auto u8 = converted<std::uint8_t>(a);
  const auto s8 = converted<std::int8_t>(a), right = converted<std::int8_t>(b);
  const std::array<std::int32_t, 4> whole{58, 64, 139, 154};
  std::array<std::int32_t, 4> i{};
  const std::int32_t offset = 0;
  EXPECT_EQ(dnnl_gemm_u8s8s32('N', 'N', 'F', 2, 2, 3, 1, u8.data(), 3, 0, right.data(), 2, 0, 0, i.data(), 2,
                              &offset),
            0);
  EXPECT_EQ(i, whole);
  i.fill(0);
  EXPECT_EQ(dnnl_gemm_s8s8s32('N', 'N', 'F', 2, 2, 3, 1, s8.data(), 3, 0, right.data(), 2, 0, 0, i.data(), 2,
                              &offset),
            0);
  EXPECT_EQ(i, whole);
}

std::vector<std::uint16_t> to_bf16(const std::array<float, 6>& values) {
  std::vector<std::uint16_t> bits;
  for (const float v : values)
    bits.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(v) >> 16));
  return bits;
}

TEST(onednn, bf16_where_the_cpu_can) {
  if (!find_onednn()) GTEST_SKIP() << find_onednn().why().message;
  const auto left = to_bf16(a), right = to_bf16(b);
  std::array<float, 4> c{};
  const int status =
      dnnl_gemm_bf16bf16f32('N', 'N', 2, 2, 3, 1, left.data(), 3, right.data(), 2, 0, c.data(), 2);
  if (status != 0) GTEST_SKIP() << "oneDNN has no bf16 product for this CPU, status " << status;
  EXPECT_EQ(c, product);
}

TEST(onednn, at_least_one_thread) { EXPECT_THROW(set_onednn_threads(0), precondition_violated); }

}  // namespace
}  // namespace ridge::vendor
