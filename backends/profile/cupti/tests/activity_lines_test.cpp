// SPDX-License-Identifier: Apache-2.0
#include "../activity_lines.hpp"

#include <gtest/gtest.h>

#include "../activity_names.hpp"

namespace ridge::backends::profile_cupti {
namespace {

activity_lines made_up() {
  return {42, [](CUpti_CallbackDomain, CUpti_CallbackId call) -> std::string {
            return call == 1 ? "cudaLaunchKernel_ptsz_v7000" : call == 2 ? "cudaGetLastError_v3020" : "";
          }};
}

template <class Record>
void add(activity_lines& lines, const Record& record) {
  lines.add(reinterpret_cast<const CUpti_Activity&>(record));
}

template <class Record>
std::string line_of(const Record& record) {
  auto lines = made_up();
  add(lines, record);
  return lines.take_events();
}

CUpti_ActivityKernel10 kernel() {
  CUpti_ActivityKernel10 r{};
  r.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  r.name = "_ZN5ridge4copyILi4EEEvPf";
  r.start = 2'000'000'007, r.end = 2'000'005'010;
  r.deviceId = 1, r.contextId = 3, r.streamId = 7, r.correlationId = 42;
  r.gridX = 3, r.gridY = 2, r.gridZ = 1, r.blockX = 128, r.blockY = 1, r.blockZ = 1;
  r.registersPerThread = 32, r.staticSharedMemory = 100, r.dynamicSharedMemory = 28,
  r.localMemoryPerThread = 16;
  return r;
}

TEST(activity_lines, a_kernel_in_the_shape_of_kineto) {
  EXPECT_EQ(
      line_of(kernel()),
      R"j({"ph":"X","cat":"kernel","name":"void ridge::copy<4>(float*)","pid":1,"tid":7,"ts":2000000.007,"dur":5.003,)j"
      R"j("args":{"device":1,"context":3,"stream":7,"correlation":42,"process":42,"grid":[3,2,1],"block":[128,1,1],)j"
      R"j("registers per thread":32,"shared memory":128,"local memory per thread":16}})j"
      "\n");
}

TEST(activity_lines, a_kernel_of_a_graph_names_graph_and_node) {
  auto r = kernel();
  r.graphId = 5, r.graphNodeId = 0x500000001;
  EXPECT_NE(line_of(r).find(R"j("graph id":5,"graph node id":21474836481,)j"), std::string::npos);
}

TEST(activity_lines, work_that_did_not_end_is_counted_as_lost) {
  auto lines = made_up();
  auto r = kernel();
  r.end = 0;
  add(lines, r);
  r.start = 0;
  add(lines, r);
  EXPECT_EQ(lines.take_events(), "");
  EXPECT_EQ(lines.take_incomplete(), 2U);
  EXPECT_EQ(lines.take_incomplete(), 0U);
}

TEST(activity_lines, copies_tell_direction_memory_and_bytes) {
  CUpti_ActivityMemcpy6 r{};
  r.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  r.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  r.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED, r.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  r.start = 1000, r.end = 2000, r.bytes = 4096;
  const auto line = line_of(r);
  EXPECT_NE(line.find(R"j("cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)")j"), std::string::npos)
      << line;
  EXPECT_NE(line.find(R"j("bytes":4096}})j"), std::string::npos);
  CUpti_ActivityMemcpyPtoP4 p{};
  p.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  p.srcKind = p.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  p.start = 1000, p.end = 2000, p.srcDeviceId = 0, p.dstDeviceId = 1;
  EXPECT_NE(line_of(p).find("Memcpy PtoP (Device -> Device)"), std::string::npos);
}

TEST(activity_lines, fills_tell_memory_and_bytes) {
  CUpti_ActivityMemset4 r{};
  r.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  r.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  r.start = 1000, r.end = 1500, r.bytes = 64;
  EXPECT_NE(line_of(r).find(
                R"j("cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":0,"ts":1.000,"dur":0.500)j"),
            std::string::npos);
}

TEST(activity_lines, calls_lose_their_version_and_noise_is_left_out) {
  CUpti_ActivityAPI r{};
  r.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  r.cbid = 1, r.start = 10, r.end = 20, r.threadId = 77, r.correlationId = 9;
  EXPECT_EQ(
      line_of(r),
      R"j({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":42,"tid":77,"ts":0.010,"dur":0.010,)j"
      R"j("args":{"cbid":1,"correlation":9}})j"
      "\n");
  r.cbid = 2;
  EXPECT_EQ(line_of(r), "");
  r.cbid = 300, r.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  EXPECT_NE(line_of(r).find(R"j("cat":"cuda_driver","name":"call 300")j"), std::string::npos);
}

TEST(activity_lines, a_wait_for_an_event_names_the_stream_that_recorded_it) {
  auto lines = made_up();
  add(lines, kernel());  // context 3 is device 1
  CUpti_ActivityCudaEvent2 e{};
  e.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
  e.cudaEventSyncId = 500, e.streamId = 13, e.correlationId = 88;
  add(lines, e);
  (void)lines.take_events();
  CUpti_ActivitySynchronization2 s{};
  s.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  s.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  s.start = 10, s.end = 10, s.contextId = 3, s.streamId = 7, s.cudaEventId = 2, s.cudaEventSyncId = 500,
  s.correlationId = 90;
  add(lines, s);
  EXPECT_EQ(
      lines.take_events(),
      R"j({"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":1,"tid":7,"ts":0.010,"dur":0.000,)j"
      R"j("args":{"cuda_sync_kind":"Stream Wait Event","device":1,"context":3,"stream":7,"correlation":90,"process":42,)j"
      R"j("event_id":2,"wait_on_stream":13,"wait_on_cuda_event_record_corr_id":88}})j"
      "\n");
  s.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  s.streamId = s.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  add(lines, s);
  const auto device = lines.take_events();
  EXPECT_NE(device.find(R"j("stream":-1,)j"), std::string::npos) << device;
  EXPECT_EQ(device.find("event_id"), std::string::npos);
}

CUpti_ActivityMarker2 marker(std::uint32_t id, CUpti_ActivityFlag flag, std::uint64_t time_ns,
                             const char* name) {
  CUpti_ActivityMarker2 m{};
  m.kind = CUPTI_ACTIVITY_KIND_MARKER;
  m.flags = flag, m.timestamp = time_ns, m.id = id, m.name = name;
  m.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  m.objectId.pt.threadId = 77;
  return m;
}

TEST(activity_lines, ranges_are_made_of_their_two_ends) {
  auto lines = made_up();
  add(lines, marker(1, CUPTI_ACTIVITY_FLAG_MARKER_START, 1000, "outer \"x\"\n"));
  add(lines, marker(2, CUPTI_ACTIVITY_FLAG_MARKER_START, 2000, "inner"));
  add(lines, marker(2, CUPTI_ACTIVITY_FLAG_MARKER_END, 3000, nullptr));
  EXPECT_EQ(lines.take_events(),
            R"j({"ph":"X","cat":"user_annotation","name":"inner","pid":42,"tid":77,"ts":2.000,"dur":1.000})j"
            "\n");
  add(lines, marker(1, CUPTI_ACTIVITY_FLAG_MARKER_END, 9000, nullptr));
  EXPECT_EQ(
      lines.take_events(),
      R"j({"ph":"X","cat":"user_annotation","name":"outer \"x\"\u000a","pid":42,"tid":77,"ts":1.000,"dur":8.000})j"
      "\n");
  add(lines, marker(5, CUPTI_ACTIVITY_FLAG_MARKER_END, 9000, nullptr));
  EXPECT_EQ(lines.take_incomplete(), 1U);
  add(lines, marker(6, CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, 9500, "here"));
  EXPECT_NE(lines.take_events().find(R"j({"ph":"i")j"), std::string::npos);
}

TEST(activity_lines, a_device_is_a_fact) {
  auto lines = made_up();
  CUpti_ActivityDevice5 d{};
  d.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  d.id = 2, d.name = "NVIDIA H200", d.numMultiprocessors = 132, d.numThreadsPerWarp = 32,
  d.maxWarpsPerMultiprocessor = 64;
  d.computeCapabilityMajor = 9;
  add(lines, d);
  EXPECT_EQ(lines.take_events(), "");
  const auto facts = lines.take_facts();
  EXPECT_NE(facts.find(R"j({"device":{"id":2,"name":"NVIDIA H200",)j"), std::string::npos) << facts;
  EXPECT_NE(facts.find(R"j("maxThreadsPerMultiprocessor":2048,)j"), std::string::npos);
  EXPECT_NE(facts.find(R"j("numSms":132,)j"), std::string::npos);
}

TEST(without_version, only_versions_and_stream_modes_go) {
  EXPECT_EQ(without_version("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
  EXPECT_EQ(without_version("cuMemAlloc_v2"), "cuMemAlloc");
  EXPECT_EQ(without_version("cuda_verify_v"), "cuda_verify_v");
  EXPECT_EQ(without_version(""), "");
}

}  // namespace
}  // namespace ridge::backends::profile_cupti
