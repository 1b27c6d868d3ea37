// SPDX-License-Identifier: Apache-2.0
#include "../cupti_records.hpp"

#include <gtest/gtest.h>

namespace ridge::backends::measure_cupti {
namespace {

std::string no_names(CUpti_CallbackDomain, CUpti_CallbackId) { return "a call"; }

template <class Record>
measure::gpu_trace read_one(const Record& record) {
  measure::gpu_trace trace;
  add_record(reinterpret_cast<const CUpti_Activity&>(record), no_names, trace);
  return trace;
}

TEST(cupti_records, a_kernel_of_a_graph) {
  CUpti_ActivityKernel10 r{};
  r.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  r.name = "_ZN5ridge4copyILi4EEEvPf";
  r.start = 2'000'000'000;
  r.end = 2'000'005'000;
  r.deviceId = 1, r.streamId = 7, r.correlationId = 42;
  r.gridX = 3, r.gridY = 2, r.gridZ = 1, r.blockX = 128, r.blockY = 1, r.blockZ = 1;
  r.graphNodeId = 99, r.graphId = 5;
  const auto trace = read_one(r);
  ASSERT_EQ(trace.activities.size(), 1U);
  const auto& a = trace.activities.front();
  EXPECT_EQ(a.name, "copy<4>");
  EXPECT_TRUE(a.runs());
  EXPECT_NEAR(a.seconds(), 5e-6, 1e-12);
  EXPECT_EQ(a.device, 1);
  EXPECT_EQ(a.stream, 7U);
  EXPECT_EQ(a.graph, 5U);
  EXPECT_EQ(a.node, 99U);
  EXPECT_EQ(a.call, 42U);
  EXPECT_EQ(a.grid, (measure::gpu_extent{3, 2, 1}));
  EXPECT_EQ(a.block, (measure::gpu_extent{128, 1, 1}));
}

TEST(cupti_records, a_copy_tells_direction_and_kinds_of_memory) {
  CUpti_ActivityMemcpy6 r{};
  r.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  r.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  r.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
  r.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  r.bytes = 4096;
  r.start = 1, r.end = 2;
  const auto trace = read_one(r);
  ASSERT_EQ(trace.activities.size(), 1U);
  const auto& a = trace.activities.front();
  EXPECT_EQ(a.kind, measure::gpu_activity_kind::copy);
  EXPECT_EQ(a.name, "copy to device");
  EXPECT_EQ(a.bytes, 4096);
  EXPECT_EQ(a.source, measure::memory_kind::pageable);
  EXPECT_EQ(a.destination, measure::memory_kind::device);
}

TEST(cupti_records, an_allocation_is_no_work_of_the_gpu) {
  CUpti_ActivityMemory4 r{};
  r.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
  r.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  r.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  r.bytes = 8;
  const auto trace = read_one(r);
  ASSERT_EQ(trace.activities.size(), 1U);
  EXPECT_FALSE(trace.activities.front().runs());
  EXPECT_EQ(trace.activities.front().kind, measure::gpu_activity_kind::release);
  EXPECT_EQ(trace.activities.front().destination, measure::memory_kind::pinned);
}

TEST(cupti_records, work_without_times_counts_as_dropped) {
  CUpti_ActivityMemset4 r{};
  r.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  const auto trace = read_one(r);
  EXPECT_TRUE(trace.activities.empty());
  EXPECT_EQ(trace.dropped, 1U);
}

TEST(cupti_records, streams_and_calls) {
  CUpti_ActivityStream s{};
  s.kind = CUPTI_ACTIVITY_KIND_STREAM;
  s.streamId = 13;
  EXPECT_EQ(read_one(s).streams_made, std::vector<std::uint32_t>{13});
  CUpti_ActivityAPI c{};
  c.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  c.threadId = 4, c.correlationId = 6;
  const auto trace = read_one(c);
  ASSERT_EQ(trace.calls.size(), 1U);
  EXPECT_EQ(trace.calls.front().name, "a call");
  EXPECT_EQ(trace.calls.front().id, 6U);
}

TEST(cupti_records, names_of_calls_lose_their_versions) {
  EXPECT_EQ(without_version("cudaMalloc_v3020"), "cudaMalloc");
  EXPECT_EQ(without_version("cudaLaunchKernel_ptsz_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(without_version("cuMemAlloc_v2"), "cuMemAlloc");
  EXPECT_EQ(without_version("cuLaunchKernel"), "cuLaunchKernel");
}

}  // namespace
}  // namespace ridge::backends::measure_cupti
