// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::measure {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(gpu_trace, leaves_out_what_the_driver_does_for_the_runtime) {
  gpu_trace t{.activities = {{.name = "b", .start_s = 5, .end_s = 6, .call = 20},
                             {.name = "a", .start_s = 1, .end_s = 9, .call = 22}},
              .calls = {{.name = "cuLaunchKernel", .start_s = 2, .end_s = 3, .thread = 7, .id = 20},
                        {.name = "cudaMalloc", .start_s = 2.5, .end_s = 4, .thread = 8, .id = 22},
                        {.name = "cudaLaunchKernel", .start_s = 1, .end_s = 3, .thread = 7, .id = 21},
                        {.name = "cuMemAlloc", .start_s = 3, .end_s = 3.5, .thread = 7}}};
  put_in_order(t);
  EXPECT_EQ(t.activities.front().name, "a");
  EXPECT_EQ(t.activities.front().call, 22U);
  EXPECT_EQ(t.activities.back().call, 21U) << "the runtime's call, not the driver's inside it";
  std::vector<std::string> names;
  for (const auto& c : t.calls) names.push_back(c.name);
  EXPECT_THAT(names, ElementsAre("cudaLaunchKernel", "cudaMalloc", "cuMemAlloc"));
}

TEST(gpu_trace, counts_calls_by_name) {
  const gpu_trace t{.calls = {{.name = "b"}, {.name = "a"}, {.name = "b"}}};
  EXPECT_THAT(count_by_name(t.calls), ElementsAre(Pair("a", 1), Pair("b", 2)));
}

TEST(gpu_trace, knows_what_a_call_is_to_an_audit) {
  for (const auto* name :
       {"cudaMalloc", "cudaFree", "cudaMallocAsync", "cudaHostAlloc", "cuMemAlloc_v2", "cuMemCreate"})
    EXPECT_EQ(effect_of(name), api_effect::allocates) << name;
  for (const auto* name : {"cudaStreamCreateWithFlags", "cudaEventCreate", "cuCtxCreate_v4",
                           "cudaGraphInstantiate", "cuDevicePrimaryCtxRetain"})
    EXPECT_EQ(effect_of(name), api_effect::makes_objects) << name;
  for (const auto* name : {"cudaStreamSynchronize", "cuCtxSynchronize", "cudaMemcpy", "cudaMemcpyToSymbol"})
    EXPECT_EQ(effect_of(name), api_effect::waits) << name;
  for (const auto* name :
       {"cudaMemcpyAsync", "cudaLaunchKernel", "cudaEventRecord", "cudaStreamWaitEvent", "cudaMemsetAsync",
        "cudaGraphAddMemcpyNode", "cudaStreamBeginCapture", "cudaEventQuery"})
    EXPECT_EQ(effect_of(name), api_effect::none) << name;
}

TEST(kernel_name, is_shortened_to_what_tells_kernels_apart) {
  EXPECT_EQ(
      short_kernel_name("void ridge::experiments::ch01_coalescing::(anonymous namespace)::copy<(unsigned "
                        "int)4, float>(float const*, float*)"),
      "copy<4, float>");
  EXPECT_EQ(short_kernel_name("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64>(T1::Params)"),
            "Kernel2<cutlass_80_simt_sgemm_128x64>");
  EXPECT_EQ(short_kernel_name("sm90_xmma_gemm_f32f32"), "sm90_xmma_gemm_f32f32");
  EXPECT_EQ(short_kernel_name("wait(ridge::words*, unsigned long)"), "wait");
  EXPECT_EQ(short_kernel_name("void f<ridge::bf16, (bool)1>(ridge::bf16)"), "f<bf16, 1>");
}

TEST(kernel_name, is_cut_where_it_is_long) {
  const auto name = short_kernel_name(std::string(100, 'x'));
  EXPECT_EQ(name, std::string(61, 'x') + "...");
}

}  // namespace
}  // namespace ridge::measure
