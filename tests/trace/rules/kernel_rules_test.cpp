// SPDX-License-Identifier: Apache-2.0
// Kernels that look like a fault and are none, and devices that only their kernels' names tell.
#include <gmock/gmock.h>

#include "finding_matchers.hpp"
#include "rule_case.hpp"

namespace ridge::trace {
namespace {

using fixtures::knowing_ridge_one;
using fixtures::of_rule;
using fixtures::scene;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

// Sixty kernels of 100 us on one device, by name, without a gap.
scene& kernels(scene& s, std::string_view name, const device_work& details, std::int32_t stream = 7) {
  for (int i = 0; i < 60; ++i)
    s.kernel(name, 1'000'000 + i * 100'000, 100'000, stream, {.call_ns = i * 5'000, .call_length_ns = 4'000},
             details);
  return s;
}

diagnosis spilling(std::string_view kernel, std::string_view device = "NVIDIA H100 80GB HBM3") {
  scene s;
  if (!device.empty()) s.device({.id = 0, .name = std::string(device)});
  return diagnose(fixtures::one(kernels(s, kernel, {.local_bytes = 512, .registers = 255})));
}

finding spills_of(const diagnosis& d) {
  const auto at = std::ranges::find(d.findings, "K11", &finding::rule);
  return at == d.findings.end() ? finding{} : *at;
}

TEST(kernel_rules, leave_spills_of_communication_to_its_library) {
  EXPECT_THAT(spilling("gemm_kernel").findings, Contains(of_rule("K11")));
  EXPECT_THAT(spilling("ncclDevKernel_AllReduce_Sum_bf16_RING_LL").findings, Not(Contains(of_rule("K11"))));
}

TEST(kernel_rules, name_the_compiler_of_the_device) {
  const auto nvcc = AllOf(HasSubstr("nvcc"), Not(HasSubstr("hipcc"))),
             hipcc = AllOf(HasSubstr("hipcc"), Not(HasSubstr("nvcc")));
  EXPECT_THAT(spills_of(spilling("gemm_kernel")).next, nvcc);
  EXPECT_THAT(spills_of(spilling("gemm_kernel", "AMD Instinct MI300X VF")).next, hipcc);
  EXPECT_THAT(spills_of(spilling("Cijk_Ailk_Bljk_gfx942_kernel", "")).next, hipcc);
}

TEST(kernel_rules, count_devices_not_shapes) {
  scene shapes, devices;
  kernels(shapes, "gemm_kernel", {.grid = {500, 1, 1}, .block = {128, 1, 1}, .local_bytes = 512});
  for (int i = 0; i < 60; ++i)
    shapes.kernel("gemm_kernel", 7'000'000 + i * 100'000, 100'000, 7,
                  {.call_ns = 300'000 + i * 5'000, .call_length_ns = 4'000},
                  {.grid = {900, 1, 1}, .block = {128, 1, 1}, .local_bytes = 512});
  kernels(devices, "gemm_kernel", {.local_bytes = 512});
  kernels(devices, "gemm_kernel", {.device = 1, .local_bytes = 512});
  EXPECT_THAT(spills_of(diagnose(fixtures::one(shapes))).text, Not(HasSubstr("devices")));
  EXPECT_THAT(spills_of(diagnose(fixtures::one(devices))).text, HasSubstr("So on 2 devices."));
}

// Ten blocks for a hundred multiprocessors; the rest of the device is free, or works for another stream.
diagnosis small_grid(bool beside) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  kernels(s, "small_kernel", {.grid = {10, 1, 1}, .block = {128, 1, 1}});
  if (beside)
    for (int i = 0; i < 6; ++i)
      s.kernel("large_kernel", 1'000'000 + i * 1'000'000, 1'000'000, 9,
               {.call_ns = 300'000 + i * 5'000, .call_length_ns = 4'000},
               {.grid = {5'000, 1, 1}, .block = {128, 1, 1}});
  return diagnose(fixtures::one(s), knowing_ridge_one());
}

TEST(kernel_rules, call_no_grid_small_beside_another_streams_work) {
  EXPECT_THAT(small_grid(false).findings,
              Contains(AllOf(of_rule("K4"), Field("text", &finding::text, HasSubstr("10 blocks for 100")))));
  EXPECT_THAT(small_grid(true).findings, Not(Contains(of_rule("K4"))));
}

// Copies between tensors as kernels of an operator that tells their types.
diagnosis copying(const char* into) {
  scene s;
  const auto dims = s.name("[[2048, 2048], [2048, 2048], []]"),
             types = s.name(std::string("[\"") + into + R"(", "float", "Scalar"])");
  for (int i = 0; i < 60; ++i) {
    s.op("aten::copy_", i * 20'000, 15'000, {.input_dims = dims, .input_types = types});
    s.kernel("direct_copy_kernel", 2'000'000 + i * 100'000, 100'000, 7,
             {.call_ns = i * 20'000 + 5'000, .call_length_ns = 5'000});
  }
  return diagnose(fixtures::one(s));
}

TEST(kernel_rules, tell_casts_from_changes_of_layout) {
  EXPECT_THAT(copying("c10::BFloat16").findings,
              AllOf(Contains(of_rule("C7")), Not(Contains(of_rule("C5")))));
  EXPECT_THAT(copying("float").findings, AllOf(Contains(of_rule("C5")), Not(Contains(of_rule("C7")))));
}

diagnosis running(std::string_view op, std::string_view dims, std::string_view types) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  for (int i = 0; i < 60; ++i) {
    s.op(op, i * 20'000, 15'000, {.input_dims = s.name(dims), .input_types = s.name(types)});
    s.kernel("gemm_kernel", 2'000'000 + i * 400'000, 400'000, 7,
             {.call_ns = i * 20'000 + 5'000, .call_length_ns = 5'000},
             {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
  }
  return diagnose(fixtures::one(s), knowing_ridge_one());
}

TEST(kernel_rules, ask_no_padding_of_products_that_it_does_not_help) {
  constexpr auto bf16 = R"(["c10::BFloat16", "c10::BFloat16"])";
  EXPECT_THAT(running("aten::mm", "[[4097, 4097], [4097, 4097]]", bf16).findings, Contains(of_rule("K13")));
  EXPECT_THAT(running("aten::mm", "[[7, 4097], [4097, 4097]]", bf16).findings, Not(Contains(of_rule("K13"))))
      << "too thin for tiles";
  EXPECT_THAT(running("aten::convolution", "[[8, 253, 56, 56], [253, 1, 7, 7], []]",
                      R"(["c10::BFloat16", "c10::BFloat16", ""])")
                  .findings,
              Not(Contains(of_rule("K13"))))
      << "one group of channels at a time";
}

TEST(device_hint, comes_from_the_names_of_kernels_alone) {
  const auto hint = [](std::string_view kernel) {
    scene s;
    s.copy(copy_kind::host_to_device, 8, 0, 10).kernel("plain", 10, 10).kernel(kernel, 20, 10);
    return device_hint_of(s.build(), 0);
  };
  ASSERT_TRUE(hint("Cijk_Alik_Bljk_BBS_MT128x128_ISA942"));
  EXPECT_EQ(hint("Cijk_Alik_Bljk_BBS_MT128x128_ISA942")->architecture, "gfx942");
  EXPECT_EQ(hint("Cijk_Alik_Bljk_BBS_MT128x128_ISA942")->least_sms, 228);
  EXPECT_EQ(hint("sm90_xmma_gemm_bf16bf16")->architecture, "sm_90");
  EXPECT_EQ(hint("sm100_gemm")->because, "sm100_");
  EXPECT_FALSE(hint("ampere_gemm_128x128_nn"));
}

// A kernel at 95 % of the memory's rate on a device that nothing but its name tells.
TEST(device_hint, lends_its_peaks_at_a_lower_grade) {
  const auto found = [](bool described) {
    scene s;
    if (described) s.device(fixtures::ridge_one_facts());
    const auto dims = s.name("[[8192, 8192], [8192, 8192]]"), types = s.name(R"(["float", "float"])");
    for (int i = 0; i < 60; ++i) {
      s.op("aten::add", i * 20'000, 15'000, {.input_dims = dims, .input_types = types});
      s.kernel("sm90_elementwise_kernel", 2'000'000 + i * 850'000, 850'000, 7,
               {.call_ns = i * 20'000 + 5'000, .call_length_ns = 5'000},
               {.grid = {65'536, 1, 1}, .block = {256, 1, 1}});
    }
    auto options = knowing_ridge_one();
    options.devices.front().architecture = "sm_90";
    const auto traces = fixtures::one(s);
    const auto e = gather(traces, options);
    EXPECT_EQ(e.devices.at(0).peaks.name, "Ridge One");
    EXPECT_EQ(e.devices.at(0).peaks_guessed, !described);
    const auto d = diagnose(e, options);
    const auto at = std::ranges::find(d.findings, "K1", &finding::rule);
    return at == d.findings.end() ? finding{} : *at;
  };
  EXPECT_EQ(found(true).rule, "K1");
  EXPECT_EQ(found(true).grade, confidence_grade::timeline);
  EXPECT_EQ(found(false).rule, "K1");
  EXPECT_EQ(found(false).grade, confidence_grade::names);
}

}  // namespace
}  // namespace ridge::trace
