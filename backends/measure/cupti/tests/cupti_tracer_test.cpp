// SPDX-License-Identifier: Apache-2.0
#include "../cupti_tracer.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/measure/conformance.hpp>

#include "traced_kernels.hpp"

namespace ridge::backends::measure_cupti {

std::unique_ptr<measure::gpu_tracer> make();

namespace {

using measure::gpu_activity;
using measure::gpu_activity_kind;

constexpr unsigned blocks = 64;
constexpr std::size_t bytes = blocks * 128 * sizeof(float);

struct freed {
  void operator()(float* values) const { (void)cudaFree(values); }
};
using device_values = std::unique_ptr<float, freed>;

device_values new_values() {
  void* made = nullptr;
  gpu::check(cudaMalloc(&made, bytes), "cudaMalloc");
  return device_values(static_cast<float*>(made));
}

// These tests need a machine with a GPU and CUPTI; elsewhere they are skipped with the reason.
class cupti : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracer_->unavailable_because().empty()) GTEST_SKIP() << tracer_->unavailable_because();
    int count = 0;
    if (const auto code = cudaGetDeviceCount(&count); code != cudaSuccess || count == 0)
      GTEST_SKIP() << "no GPU: " << cudaGetErrorString(code);
  }
  std::unique_ptr<measure::gpu_tracer> tracer_ = make();
};

std::vector<gpu_activity> of_kind(const measure::gpu_trace& trace, gpu_activity_kind kind) {
  std::vector<gpu_activity> some;
  std::ranges::copy_if(trace.activities, std::back_inserter(some),
                       [&](const auto& a) { return a.kind == kind; });
  return some;
}

std::uint64_t calls_of(const measure::gpu_trace& trace, const std::string& name) {
  const auto counts = measure::count_by_name(trace.calls);
  const auto at = counts.find(name);
  return at == counts.end() ? 0 : at->second;
}

TEST(cupti_unavailable, says_why_and_records_nothing) {
  cupti_tracer tracer(result<cupti_functions>(error{"CUPTI cannot be loaded", "install it"}));
  EXPECT_NE(tracer.unavailable_because().find("CUPTI cannot be loaded"), std::string_view::npos);
  measure::conformance::expect_gpu_tracer(tracer);
}

TEST_F(cupti, conforms) { measure::conformance::expect_gpu_tracer(*tracer_); }

TEST_F(cupti, sees_kernels_sets_and_copies_with_their_streams) {
  const auto values = new_values();
  std::vector<float> host(bytes / sizeof(float));
  const gpu::side_stream on;
  tracer_->start();
  gpu::check(cudaMemsetAsync(values.get(), 0, bytes, on), "cudaMemsetAsync");
  launch_scale(values.get(), blocks, on);
  gpu::check(cudaMemcpyAsync(host.data(), values.get(), bytes, cudaMemcpyDefault, on), "cudaMemcpyAsync");
  const auto trace = tracer_->stop();
  EXPECT_EQ(trace.dropped, 0U);
  const auto kernels = of_kind(trace, gpu_activity_kind::kernel);
  const auto sets = of_kind(trace, gpu_activity_kind::set);
  const auto copies = of_kind(trace, gpu_activity_kind::copy);
  ASSERT_EQ(kernels.size(), 1U);
  ASSERT_EQ(sets.size(), 1U);
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(kernels[0].name, "scale<2>");
  EXPECT_EQ(kernels[0].grid, (measure::gpu_extent{blocks, 1, 1}));
  EXPECT_EQ(sets[0].bytes, static_cast<double>(bytes));
  EXPECT_EQ(copies[0].direction, measure::copy_direction::to_host);
  EXPECT_EQ(kernels[0].stream, sets[0].stream);
  EXPECT_LE(sets[0].start_s, kernels[0].start_s);
  EXPECT_GT(kernels[0].seconds(), 0);
  EXPECT_LT(kernels[0].seconds(), 1e-3);
  EXPECT_EQ(calls_of(trace, "cudaLaunchKernel") + calls_of(trace, "cudaLaunchKernelExC"), 1U);
  EXPECT_EQ(calls_of(trace, "cudaMemsetAsync"), 1U);
}

TEST_F(cupti, tells_the_call_that_asked_for_a_kernel) {
  const auto values = new_values();
  const gpu::side_stream on;
  tracer_->start();
  launch_scale(values.get(), blocks, on);
  const auto trace = tracer_->stop();
  const auto kernels = of_kind(trace, gpu_activity_kind::kernel);
  ASSERT_EQ(kernels.size(), 1U);
  const auto call = std::ranges::find(trace.calls, kernels[0].call, &measure::gpu_api_call::id);
  ASSERT_NE(call, trace.calls.end());
  EXPECT_LE(call->start_s, kernels[0].start_s);
}

TEST_F(cupti, sees_the_nodes_of_a_graph) {
  const auto values = new_values();
  const gpu::side_stream on;
  const gpu::graph four([&](cudaStream_t queue) {
    for (int i = 0; i < 4; ++i) launch_scale(values.get(), blocks, queue);
  });
  four.upload(on);
  tracer_->start();
  four.launch(on);
  const auto kernels = of_kind(tracer_->stop(), gpu_activity_kind::kernel);
  ASSERT_EQ(kernels.size(), 4U);
  std::set<std::uint64_t> nodes;
  for (const auto& k : kernels) nodes.insert(k.node);
  EXPECT_EQ(nodes.size(), 4U);
  EXPECT_NE(kernels[0].graph, 0U);
}

TEST_F(cupti, sees_memory_taken_and_streams_made) {
  tracer_->start();
  const auto values = new_values();
  const gpu::side_stream made;
  launch_scale(values.get(), blocks, made);
  const auto trace = tracer_->stop();
  EXPECT_EQ(of_kind(trace, gpu_activity_kind::allocation).size(), 1U);
  EXPECT_EQ(calls_of(trace, "cudaMalloc"), 1U);
  const auto kernels = of_kind(trace, gpu_activity_kind::kernel);
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_NE(std::ranges::find(trace.streams_made, kernels[0].stream), trace.streams_made.end());
}

TEST_F(cupti, a_second_start_forgets_what_was_before) {
  const auto values = new_values();
  const gpu::side_stream on;
  tracer_->start();
  launch_scale(values.get(), blocks, on);
  on.synchronize();
  tracer_->start();
  EXPECT_TRUE(of_kind(tracer_->stop(), gpu_activity_kind::kernel).empty());
}

}  // namespace
}  // namespace ridge::backends::measure_cupti
