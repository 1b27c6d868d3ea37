// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "made_up_export.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;
using trace::copy_kind;
using trace::memory_kind;

// Two processes (pids 7 and 9) that use the same correlation ids: thread 3 of each launches on device 0.
constexpr auto two_processes = R"(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'void gemm<float>(float*)'),(3,'gemm'),(4,'cuMemcpyHtoDAsync_v2');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start,end,eventClass,globalTid,correlationId,nameId,returnValue,callchainId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100,150,0,(7<<24)|3,5,1,0,NULL),(900,950,0,(9<<24)|3,5,1,0,NULL),(200,260,1,(7<<24)|3,6,4,0,NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,correlationId,globalPid,demangledName,shortName,
 registersPerThread,gridX,gridY,gridZ,blockX,blockY,blockZ,staticSharedMemory,dynamicSharedMemory,localMemoryPerThread,graphNodeId,graphId);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,1500,0,2,13,5,9<<24,2,3,40,8,4,2,256,1,1,1024,2048,16,77,4);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start,end,deviceId,contextId,streamId,correlationId,globalPid,bytes,copyKind,srcKind,dstKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (300,400,0,2,13,6,7<<24,4096,1,1,2),(500,600,1,2,13,99,7<<24,64,10,2,2);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start,end,deviceId,streamId,correlationId,globalPid,bytes,memKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (700,710,0,7,0,7<<24,256,5);
)";

TEST(nsys_device_work, joins_launches_by_process_and_correlation) {
  const auto t = made_up_export(two_processes).read();
  const auto& kernel = work_called(t, "void gemm<float>(float*)");
  ASSERT_NE(kernel.launch, trace::none);
  EXPECT_EQ(t.events.start_ns[kernel.launch], 900);
  EXPECT_EQ(t.name_of(kernel.launch), "cudaLaunchKernel");
  EXPECT_EQ(t.processes[kernel.process].id, 9);
  const auto& copy = work_called(t, "Memcpy HtoD (Pinned -> Device)");
  ASSERT_NE(copy.launch, trace::none);
  EXPECT_EQ(t.name_of(copy.launch), "cuMemcpyHtoDAsync_v2");
  EXPECT_EQ(work_called(t, "Memcpy PtoP (Device -> Device)").launch, trace::none);
}

TEST(nsys_device_work, keeps_shapes_sizes_and_kinds) {
  const auto t = made_up_export(two_processes).read();
  const auto& kernel = work_called(t, "void gemm<float>(float*)");
  EXPECT_EQ(kernel.kind, category::kernel);
  EXPECT_EQ(kernel.start_ns, 1000);
  EXPECT_EQ(kernel.end_ns, 1500);
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{8, 4, 2}));
  EXPECT_EQ(kernel.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(kernel.shared_bytes, 3072U);
  EXPECT_EQ(kernel.local_bytes, 16U);
  EXPECT_EQ(kernel.registers, 40U);
  EXPECT_EQ(kernel.graph_node, 77U);
  EXPECT_EQ(kernel.graph, 4U);
  EXPECT_EQ(kernel.stream, 13);
  const auto& copy = work_called(t, "Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(copy.copy, copy_kind::host_to_device);
  EXPECT_EQ(copy.source, memory_kind::pinned);
  EXPECT_EQ(copy.bytes, 4096);
  EXPECT_EQ(work_called(t, "Memcpy PtoP (Device -> Device)").device, 1);
  const auto& fill = work_called(t, "Memset (Device)");
  EXPECT_EQ(fill.kind, category::fill);
  EXPECT_EQ(fill.bytes, 256);
}

TEST(nsys_device_work, needs_no_process_where_there_is_only_one) {
  const auto t = made_up_export(R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start,end,correlationId,globalTid,nameId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (-3000,-500,100,1,3);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,correlationId,shortName);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0,1000,0,7,100,2),(1000,2000,0,7,101,5);
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (2,'gemm'),(3,'cudaLaunchKernel');)")
                     .read();
  ASSERT_NE(work_called(t, "gemm").launch, trace::none);
  EXPECT_EQ(t.events.start_ns[work_called(t, "gemm").launch], -3000);
  EXPECT_EQ(work_called(t, "kernel").launch, trace::none);
}

TEST(nsys_device_work, says_that_a_graph_traced_as_a_whole_hides_its_kernels) {
  const auto t = made_up_export(R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start,end,deviceId,graphId,graphExecId,contextId,streamId,correlationId,globalPid);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (0,1000,0,12,13,1,7,100,7<<24),(2000,3000,0,12,13,1,7,101,7<<24);)")
                     .read();
  EXPECT_EQ(t.quality.count(trace::flaw::opaque_graphs), 2U);
  EXPECT_EQ(t.works_of(0).size(), 2U);
  EXPECT_EQ(work_called(t, "CUDA graph 12").graph, 12U);
}

TEST(nsys_device_work, takes_an_end_before_the_start_for_no_time_at_all) {
  const auto t = made_up_export(R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,correlationId,globalPid,shortName);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,400,0,7,1,7<<24,'inline name');)")
                     .read();
  EXPECT_EQ(work_called(t, "inline name").duration_ns(), 0);
  EXPECT_EQ(t.quality.count(trace::flaw::negative_duration), 1U);
}

}  // namespace
}  // namespace ridge::backends::trace_nsys_sqlite
