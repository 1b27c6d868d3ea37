// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/tiles.hpp>

#include <gtest/gtest.h>

namespace ridge::trace {
namespace {

void expect_tile(std::string_view kernel, std::int64_t m, std::int64_t n) {
  const auto tile = tile_of(kernel);
  ASSERT_TRUE(tile) << kernel;
  EXPECT_EQ(tile->m, m) << kernel;
  EXPECT_EQ(tile->n, n) << kernel;
}

TEST(tiles, kernels_names_tell_their_tile) {
  expect_tile("Cijk_Ailk_Bljk_BBS_BH_MT256x112x64_MI16x16x16x1_SN", 256, 112);
  expect_tile("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize256x128x64_warpgroupsize2x1x1", 256, 128);
  expect_tile("igemm_fwd_gtcx_nhwc_fp32_bx0_bt256x128x16", 256, 128);
  expect_tile("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4>", 64, 64);
  expect_tile("volta_sgemm_128x32_nt", 128, 32);
  expect_tile("ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn", 128, 256);
  EXPECT_FALSE(tile_of("attn_fwd.kd"));
  EXPECT_FALSE(tile_of("vectorized_elementwise_kernel_128x128"));
}

TEST(tiles, eight_tiles_leave_most_of_a_device_idle) {
  const auto tile = tile_of("Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_MI16x16x16x1_GSU2_GSUAMB");
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->splits, 2);
  const auto e = tiles_of({.m = 256, .n = 512, .k = 131072}, tile, 304);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->tiles, 8);  // 512 / 256 x 256 / 128 x 2 parts of k
  EXPECT_TRUE(e->few());
  EXPECT_DOUBLE_EQ(e->wave_share, 8.0 / 304);
}

TEST(tiles, a_last_wave_and_an_edge_are_partly_empty) {
  const auto e = tiles_of({.m = 4097, .n = 4097, .k = 4097}, tile_size{.m = 256, .n = 128}, 304);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->tiles, 17 * 33);
  EXPECT_DOUBLE_EQ(e->waves, 561.0 / 304);
  EXPECT_DOUBLE_EQ(e->wave_share, 561.0 / 608);
  EXPECT_NEAR(e->padding_share, 4097.0 * 4097 / (17 * 256 * 33 * 128), 1e-12);
}

TEST(tiles, groups_have_their_rows_apart) {
  // 32 rows in 16 groups: two rows a group fill 2 of 128.
  const auto e = tiles_of({.m = 32, .n = 256, .k = 64, .groups = 16}, std::nullopt, 100);
  ASSERT_TRUE(e);
  EXPECT_TRUE(e->assumed);
  EXPECT_EQ(e->tiles, 32);
  EXPECT_DOUBLE_EQ(e->padding_share, 2.0 / 128);
}

TEST(tiles, rows_of_16_bytes_are_aligned) {
  const auto odd = alignment_of({.m = 4097, .n = 4097, .k = 4097}, number_type::bf16);
  EXPECT_FALSE(odd.aligned);
  EXPECT_EQ(odd.aligned_to, 1);
  EXPECT_EQ(odd.wanted, 8);
  EXPECT_EQ(odd.padded.k, 4104);
  EXPECT_TRUE(alignment_of({.m = 141, .n = 512, .k = 512}, number_type::bf16).aligned);
  EXPECT_FALSE(alignment_of({.m = 128, .n = 24, .k = 64}, number_type::fp8).aligned);  // 16 elements
  EXPECT_TRUE(alignment_of({.m = 128, .n = 12, .k = 64}, number_type::fp32).aligned);  // 4 elements
}

}  // namespace
}  // namespace ridge::trace
