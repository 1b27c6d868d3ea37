// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "made_up_export.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;

constexpr auto names = R"(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1,'read'),(2,'main thread'),(3,'leaf'),(4,'root'),(5,'libc.so.6'),(6,'overhead');
)";

TEST(nsys_facts, tells_device_clock_producer_and_names) {
  const auto t = made_up_export(std::string(names) + R"(
CREATE TABLE OSRT_API(start,end,eventClass,globalTid,correlationId,nameId,returnValue);
INSERT INTO OSRT_API VALUES (10,20,27,(7<<24)|3,1,1,0);
CREATE TABLE TARGET_INFO_GPU(id,name,totalMemory,memoryBandwidth,clockRate,smCount,computeMajor,computeMinor,threadsPerWarp,maxWarpsPerSm);
INSERT INTO TARGET_INFO_GPU VALUES (0,'NVIDIA H100 80GB HBM3',85000000000,3352320000000,1980000000,132,9,0,32,64);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs,utcTime,localTime,systemClockNs);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000123,'','',123);
CREATE TABLE ThreadNames(nameId,priority,globalTid);
INSERT INTO ThreadNames VALUES (2,20,(7<<24)|3);
CREATE TABLE PROCESSES(globalPid,pid,name);
INSERT INTO PROCESSES VALUES (7<<24,7,'python3'),(8<<24,8,'bash');
CREATE TABLE META_DATA_EXPORT(name,value);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION','2026.2.1.210');
CREATE TABLE DIAGNOSTIC_EVENT(timestamp,timestampType,source,severity,text,globalPid);
INSERT INTO DIAGNOSTIC_EVENT VALUES (1,0,0,2,'Number of CUDA events dropped: 12',0),(2,0,0,1,'Started',0);)")
                     .read();
  EXPECT_EQ(t.events.kind[event_called(t, "read")], category::os_call);
  const auto* gpu = t.facts_of(0);
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->sms, 132);
  EXPECT_EQ(gpu->threads_per_sm, 2048);
  EXPECT_EQ(gpu->memory_bytes_per_s, 3352320000000.0);
  EXPECT_EQ(gpu->clock_hz, 1.98e9);
  EXPECT_EQ(t.epoch_ns, 1700000000000000000);
  EXPECT_EQ(t.tracks.at(0).name, "main thread");
  ASSERT_EQ(t.processes.size(), 1U);
  EXPECT_EQ(t.processes[0].name, "python3");
  EXPECT_EQ(t.source.producer, "Nsight Systems 2026.2.1.210");
  EXPECT_EQ(t.quality.count(trace::flaw::dropped_records), 1U);
}

TEST(nsys_facts, tells_what_waited_for_which_recorded_event) {
  const auto t = made_up_export(R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(timestamp,deviceId,contextId,streamId,correlationId,globalPid,eventId,eventSyncId);
INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (90,0,1,7,41,7<<24,3,1000);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start,end,deviceId,contextId,streamId,correlationId,globalPid,syncType,eventId,eventSyncId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (100,300,0,1,20,42,7<<24,2,3,1000),(400,500,0,1,4294967295,43,7<<24,4,4294967295,0);)")
                     .read();
  const auto& wait = t.syncs[t.events.detail[event_called(t, "Stream Wait Event")]];
  EXPECT_EQ(wait.kind, trace::sync_kind::stream_wait_event);
  EXPECT_EQ(wait.stream, 20);
  EXPECT_EQ(wait.wait_on_stream, 7);
  EXPECT_EQ(wait.wait_on_correlation, 41U);
  const auto whole = event_called(t, "Context Sync");
  EXPECT_EQ(t.syncs[t.events.detail[whole]].stream, -1);
  EXPECT_EQ(t.tracks[t.events.track[whole]].kind, trace::track_kind::device);
}

// Nsight Systems writes device 0 for waits of every context; the kernels of a context tell its device.
TEST(nsys_facts, waits_are_on_the_device_of_their_context) {
  const auto t = made_up_export(R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,contextId,correlationId,globalPid);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10,20,0,7,1,1,7<<24),(10,20,1,7,2,1,8<<24),(30,40,2,7,3,2,8<<24);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(timestamp,deviceId,contextId,streamId,correlationId,globalPid,eventId,eventSyncId);
INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (90,0,2,7,41,8<<24,3,1000);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start,end,deviceId,contextId,streamId,correlationId,globalPid,syncType,eventId,eventSyncId);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
 (100,110,0,1,20,42,7<<24,3,0,0),(200,210,0,2,21,43,8<<24,3,0,0),(300,310,0,3,4294967295,44,8<<24,4,0,0),
 (400,410,5,9,22,45,8<<24,3,0,0),(500,510,0,2,23,46,7<<24,3,0,0);)")
                     .read();
  std::map<trace::nanoseconds, std::pair<std::int32_t, std::int32_t>> devices;  // of the detail, of the track
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != category::synchronization) continue;
    devices[t.events.start_ns[e]] = {t.syncs[t.events.detail[e]].device, t.tracks[t.events.track[e]].device};
  }
  ASSERT_EQ(devices.size(), 5U);
  const auto first = devices.begin()->first;
  using both = std::pair<std::int32_t, std::int32_t>;
  EXPECT_EQ(devices.at(first), both(0, 0));
  EXPECT_EQ(devices.at(first + 100), both(1, 1));
  EXPECT_EQ(devices.at(first + 200), both(2, 2));
  EXPECT_EQ(devices.at(first + 300), both(5, 5)) << "no kernel tells of this context";
  EXPECT_EQ(devices.at(first + 400), both(0, 0)) << "another process's context of that number";
  EXPECT_EQ(t.tracks[t.events.track[event_called(t, "cudaEventRecord")]].device, 1);
}

TEST(nsys_facts, reads_counters_samples_and_scheduling) {
  const auto t = made_up_export(std::string(names) + R"(
CREATE TABLE NVTX_EVENTS(start,end,eventType,text,globalTid);
CREATE TABLE TARGET_INFO_GPU_METRICS(typeId,sourceId,typeName,metricId,metricName);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (513,0,'x',4,'SM Active');
CREATE TABLE GPU_METRICS(timestamp,typeId,metricId,value);
INSERT INTO GPU_METRICS VALUES (200,513,4,55),(100,513,4,50);
CREATE TABLE COMPOSITE_EVENTS(id,start,cpu,threadState,globalTid,cpuCycles);
INSERT INTO COMPOSITE_EVENTS VALUES (1,150,0,0,(7<<24)|3,2000);
CREATE TABLE SAMPLING_CALLCHAINS(id,symbol,module,stackDepth);
INSERT INTO SAMPLING_CALLCHAINS VALUES (1,3,5,0),(1,4,5,1);
CREATE TABLE SCHED_EVENTS(start,cpu,isSchedIn,globalTid);
INSERT INTO SCHED_EVENTS VALUES (10,2,1,(7<<24)|3),(70,2,0,(7<<24)|3),(80,1,0,(7<<24)|4);)")
                     .read();
  ASSERT_EQ(t.counters.size(), 1U);
  EXPECT_EQ(t.names[t.counters[0].name], "SM Active");
  EXPECT_EQ(t.counters[0].device, 1);
  ASSERT_EQ(t.counter_values.size(), 2U);
  EXPECT_EQ(t.counter_values[0].value, 50);
  ASSERT_EQ(t.samples.size(), 1U);
  EXPECT_EQ(t.samples[0].weight, 2000U);
  const auto& leaf = t.stacks[t.samples[0].stack];
  EXPECT_EQ(t.names[leaf.function], "leaf");
  EXPECT_EQ(t.names[t.stacks[leaf.caller].function], "root");
  EXPECT_EQ(t.events.duration_ns[event_called(t, "on CPU 2")], 60);
}

}  // namespace
}  // namespace ridge::backends::trace_nsys_sqlite
