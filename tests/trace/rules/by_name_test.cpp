// SPDX-License-Identifier: Apache-2.0
// What is told where a recording lacks operators, shapes or most of its events.
#include <gmock/gmock.h>

#include "finding_matchers.hpp"
#include "rule_case.hpp"

namespace ridge::trace {
namespace {

using fixtures::finding_of;
using fixtures::of_rule;
using fixtures::scene;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Twenty rounds of kernels of 100 us each, without a gap, launched ahead.
diagnosis running(const std::vector<std::string>& kernels, device_facts device = {}, bool shapes = false) {
  scene s;
  if (!device.name.empty()) s.device(std::move(device));
  nanoseconds host = 0, at = 5'000'000;
  for (int round = 0; round < 20; ++round) {
    for (const auto& kernel : kernels) {
      if (shapes)
        s.op("aten::add", host, 9'000,
             {.input_dims = s.name("[[64, 64]]"), .input_types = s.name(R"(["float"])")});
      s.kernel(kernel, at, 100'000, 7, {.call_ns = host + 1'000, .call_length_ns = 4'000});
      host += 10'000;
      at += 100'000;
    }
  }
  return diagnose(fixtures::one(s));
}

const std::string
    link = "void at::native::vectorized_elementwise_kernel<4, at::native::MulFunctor>",
    copy = "void at::native::vectorized_elementwise_kernel<8, at::native::bfloat16_copy_kernel_cuda>",
    product = "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN";

TEST(by_name, fp32_products_are_told_without_shapes) {
  const auto found = running({"volta_sgemm_128x64_nn", "volta_scudnn_128x64_relu_interior_nn_v1"});
  const auto f = finding_of(found, "K12");
  EXPECT_EQ(f.grade, confidence_grade::names);
  EXPECT_THAT(f.text, HasSubstr("by their kernels' names"));
  EXPECT_NEAR(f.share, 0.5, 0.01);
  EXPECT_TRUE(f.alarm);
}

TEST(by_name, products_on_matrix_units_are_no_fp32_products) {
  for (const auto* kernel :
       {"volta_h884gemm_128x64_ldg8_nn", "volta_s884cudnn_fp16_128x128_ldg8_relu",
        "cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1", "volta_fp16_scudnn_fp16_128x64",
        "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x64"})
    EXPECT_THAT(running({kernel}).findings, Not(Contains(of_rule("K12")))) << kernel;
}

TEST(by_name, devices_without_matrix_units_have_nothing_faster) {
  const device_facts pascal{.id = 0, .name = "Tesla P100", .sms = 56, .compute_major = 6};
  EXPECT_THAT(running({"maxwell_sgemm_128x64_nn"}, pascal).findings, Not(Contains(of_rule("K12"))));
  EXPECT_THAT(running({"maxwell_sgemm_128x64_nn"}).findings, Not(Contains(of_rule("K12"))));
}

TEST(by_name, long_runs_of_elementwise_kernels_are_a_chain_without_shapes) {
  const auto found = running({product, link, link, copy, link, link});
  const auto f = finding_of(found, "K18");
  EXPECT_EQ(f.grade, confidence_grade::names);
  EXPECT_THAT(f.text, HasSubstr("20 chains"));
  EXPECT_NEAR(f.share, 0.5 * 4 / 6, 0.02);  // four of six kernels, half of each: the copy is not claimed
}

TEST(by_name, short_runs_casts_and_recorded_shapes_are_no_chain) {
  EXPECT_THAT(running({product, link, link, link}).findings, Not(Contains(of_rule("K18"))));
  EXPECT_THAT(running({product, copy, copy, copy, copy, copy}).findings, Not(Contains(of_rule("K18"))));
  for (const auto& f : running({product, link, link, link, link}, {}, true).findings)
    EXPECT_THAT(f.text, Not(HasSubstr("by their names")));
}

// Operators that launch a kernel each, 100 us apart; the recorder's numbers count up by `stride`, and jump
// once where there was something else.
diagnosis numbered(std::uint32_t stride) {
  scene s;
  std::uint32_t number = 1;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = i * 400'000;
    auto& b = s.builder();
    b.add({.start_ns = at,
           .duration_ns = 50'000,
           .name = b.intern("aten::mm"),
           .track = b.track_of(track_kind::thread, b.process(1), 1),
           .external = number,
           .kind = category::op},
          op_detail{});
    s.kernel("gemm_kernel", at + 20'000, 100'000, 7, {.call_ns = at + 5'000, .call_length_ns = 5'000});
    number += i == 30 ? 1000 : stride;
  }
  return diagnose(fixtures::one(s));
}

TEST(thinned_recording, is_doubted_and_says_nothing_of_idle_time) {
  const auto found = numbered(70);
  EXPECT_THAT(finding_of(found, "T7").text, HasSubstr("were taken out"));
  EXPECT_THAT(found.findings, Not(Contains(of_rule("I1"))));
  EXPECT_THAT(found.findings, Not(Contains(of_rule("I10"))));
  EXPECT_THAT(found.abstentions, Contains(::testing::Field(&abstention::rule, "I1")));
}

TEST(thinned_recording, is_none_where_missing_numbers_lie_together) {
  const auto found = numbered(1);
  EXPECT_THAT(found.doubts, Not(Contains(of_rule("T7"))));
  EXPECT_THAT(found.findings, Contains(of_rule("I1")));
}

TEST(small_grids, are_none_of_kernels_as_short_as_their_start) {
  const auto short_kernels = [](nanoseconds length) {
    scene s;
    s.device(fixtures::ridge_one_facts());
    for (int i = 0; i < 60; ++i)
      s.kernel("gather_kernel", 1'000'000 + i * length, length, 7,
               {.call_ns = i * 5'000, .call_length_ns = 4'000}, {.grid = {4, 1, 1}, .block = {128, 1, 1}});
    return diagnose(fixtures::one(s), fixtures::knowing_ridge_one());
  };
  EXPECT_THAT(short_kernels(1'800).findings, Not(Contains(of_rule("K4"))));
  EXPECT_THAT(short_kernels(18'000).findings, Contains(of_rule("K4")));
}

// A kernel of 22 us each 40 us; the host records so many frames before each.
finding launches_with(int frames) {
  scene s;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = i * 40'000;
    for (int f = 0; f < frames; ++f) s.python("f.py(1): f", at + f * 1'000, 900);
    s.kernel("gather_kernel", at + 36'000, 22'000, 7, {.call_ns = at + 30'000, .call_length_ns = 5'000});
  }
  return finding_of(diagnose(fixtures::one(s)), "I2");
}

TEST(launches, are_an_alarm_below_the_usual_share_where_recording_cost_little) {
  const auto plain = launches_with(0), with_frames = launches_with(2);
  EXPECT_TRUE(plain.alarm) << plain.share;
  EXPECT_LT(plain.share, 0.6);
  EXPECT_FALSE(with_frames.alarm);  // what is left could be the estimate's error
  EXPECT_GT(with_frames.share, 0.15);
}

// Products of known shapes for `judged` of ten kernels; the others belong to no operator.
overall_verdict verdict_where(int judged) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  for (int i = 0; i < 200; ++i) {
    const nanoseconds host = i * 10'000, at = 5'000'000 + i * 160'000;
    if (i % 10 < judged)
      s.op("aten::mm", host, 9'000,
           {.input_dims = s.name("[[4096, 4096], [4096, 4096]]"),
            .input_types = s.name(R"(["c10::BFloat16", "c10::BFloat16"])")});
    s.kernel(i % 10 < judged ? "ampere_gemm_128x128_nn" : "opaque_kernel", at, 160'000, 7,
             {.call_ns = host + 1'000, .call_length_ns = 4'000},
             {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
  }
  return diagnose(fixtures::one(s), fixtures::knowing_ridge_one()).verdict;
}

TEST(verdict, is_insufficient_where_most_of_the_computing_time_cannot_be_judged) {
  EXPECT_EQ(verdict_where(2), overall_verdict::insufficient);
  EXPECT_EQ(verdict_where(8), overall_verdict::nothing_found);
}

}  // namespace
}  // namespace ridge::trace
