// SPDX-License-Identifier: Apache-2.0
#include "activity_lines.hpp"

#include <cxxabi.h>

#include <cstdlib>

#include "activity_names.hpp"
#include "json_line.hpp"

namespace ridge::backends::profile_cupti {
namespace {

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return reinterpret_cast<const Record&>(record);
}

std::string list(std::int64_t x, std::int64_t y, std::int64_t z) {
  return "[" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "]";
}

template <class Record>
json_line& begin(json_line& line, const char* category, std::string_view name, const Record& r,
                 std::int64_t process, std::int64_t thread) {
  return line.text("ph", "X")
      .text("cat", category)
      .text("name", name)
      .number("pid", process)
      .number("tid", thread)
      .time("ts", r.start)
      .time("dur", r.end - r.start);
}

// Begins a line of device work, up to the args of its kind.
template <class Record>
json_line& begin_work(json_line& line, const char* category, std::string_view name, const Record& r,
                      std::int64_t process) {
  begin(line, category, name, r, r.deviceId, r.streamId)
      .open("args")
      .number("device", r.deviceId)
      .number("context", r.contextId)
      .number("stream", r.streamId)
      .number("correlation", r.correlationId)
      .number("process", process);
  if (r.graphNodeId != 0) line.number("graph id", r.graphId).number("graph node id", r.graphNodeId);
  return line;
}

}  // namespace

void activity_lines::add(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return take(as<CUpti_ActivityKernel10>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return take(as<CUpti_ActivityMemcpy6>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return take(as<CUpti_ActivityMemcpyPtoP4>(record));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return take(as<CUpti_ActivityMemset4>(record));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return take(as<CUpti_ActivityAPI>(record), CUPTI_CB_DOMAIN_RUNTIME_API);
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return take(as<CUpti_ActivityAPI>(record), CUPTI_CB_DOMAIN_DRIVER_API);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return take(as<CUpti_ActivitySynchronization2>(record));
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return take(as<CUpti_ActivityCudaEvent2>(record));
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return take(as<CUpti_ActivityOverhead3>(record));
    case CUPTI_ACTIVITY_KIND_MARKER:
      return take(as<CUpti_ActivityMarker2>(record));
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return take(as<CUpti_ActivityDevice5>(record));
    default:
      return;
  }
}

bool activity_lines::complete(std::uint64_t start, std::uint64_t end) {
  const bool whole = start != 0 && end >= start;
  if (!whole) ++incomplete_;
  return whole;
}

void activity_lines::take(const CUpti_ActivityKernel10& r) {
  devices_[r.contextId] = r.deviceId;
  if (!complete(r.start, r.end)) return;
  json_line line(events_);
  begin_work(line, "kernel", kernel_name(r.name), r, process_)
      .raw("grid", list(r.gridX, r.gridY, r.gridZ))
      .raw("block", list(r.blockX, r.blockY, r.blockZ))
      .number("registers per thread", r.registersPerThread)
      .number("shared memory", std::int64_t{r.staticSharedMemory} + r.dynamicSharedMemory)
      .number("local memory per thread", r.localMemoryPerThread);
  line.close().end();
}

void activity_lines::take(const CUpti_ActivityMemcpy6& r) {
  devices_[r.contextId] = r.deviceId;
  if (!complete(r.start, r.end)) return;
  json_line line(events_);
  begin_work(line, "gpu_memcpy", copy_name(r.copyKind, r.srcKind, r.dstKind), r, process_)
      .number("bytes", r.bytes);
  line.close().end();
}

void activity_lines::take(const CUpti_ActivityMemcpyPtoP4& r) {
  if (!complete(r.start, r.end)) return;
  json_line line(events_);
  begin_work(line, "gpu_memcpy", copy_name(CUPTI_ACTIVITY_MEMCPY_KIND_PTOP, r.srcKind, r.dstKind), r,
             process_)
      .number("bytes", r.bytes)
      .number("fromDevice", r.srcDeviceId)
      .number("toDevice", r.dstDeviceId);
  line.close().end();
}

void activity_lines::take(const CUpti_ActivityMemset4& r) {
  devices_[r.contextId] = r.deviceId;
  if (!complete(r.start, r.end)) return;
  json_line line(events_);
  begin_work(line, "gpu_memset", std::string("Memset (") + memory_name(r.memoryKind) + ")", r, process_)
      .number("bytes", r.bytes);
  line.close().end();
}

void activity_lines::take(const CUpti_ActivityAPI& r, CUpti_CallbackDomain domain) {
  const auto& name = call_name(domain, r.cbid);
  if (is_noise(name) || !complete(r.start, r.end)) return;
  json_line line(events_);
  begin(line, domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "cuda_runtime" : "cuda_driver", name, r, process_,
        r.threadId)
      .open("args")
      .number("cbid", r.cbid)
      .number("correlation", r.correlationId);
  line.close().end();
}

void activity_lines::take(const CUpti_ActivityCudaEvent2& r) {
  recorded_[r.cudaEventSyncId] = {r.streamId, r.correlationId};
  constexpr std::size_t most = 1 << 16;
  if (recorded_.size() > most) recorded_.erase(recorded_.begin());
}

void activity_lines::take(const CUpti_ActivitySynchronization2& r) {
  if (!complete(r.start, r.end)) return;
  const auto device = device_of(r.contextId);
  const bool of_stream = r.streamId != CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  const auto stream = of_stream ? std::int64_t{r.streamId} : -1;
  json_line line(events_);
  begin(line, "cuda_sync", wait_name(r.type), r, device, stream)
      .open("args")
      .text("cuda_sync_kind", wait_name(r.type))
      .number("device", device)
      .number("context", r.contextId)
      .number("stream", stream)
      .number("correlation", r.correlationId)
      .number("process", process_);
  if (r.cudaEventId != CUPTI_SYNCHRONIZATION_INVALID_VALUE) line.number("event_id", r.cudaEventId);
  if (const auto at = recorded_.find(r.cudaEventSyncId);
      at != recorded_.end() && r.cudaEventId != CUPTI_SYNCHRONIZATION_INVALID_VALUE)
    line.number("wait_on_stream", at->second.stream)
        .number("wait_on_cuda_event_record_corr_id", at->second.correlation);
  line.close().end();
}

void activity_lines::take(const CUpti_ActivityOverhead3& r) {
  if (!complete(r.start, r.end)) return;
  const bool of_thread = r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
  json_line line(events_);
  begin(line, "overhead", overhead_name(r.overheadKind), r, process_,
        of_thread ? std::int64_t{r.objectId.pt.threadId} : process_)
      .end();
}

void activity_lines::take(const CUpti_ActivityMarker2& r) {
  const auto thread = r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD ? r.objectId.pt.threadId : 0U;
  const range_start here{r.timestamp, r.name == nullptr ? "" : r.name, thread};
  const auto is = [&r](CUpti_ActivityFlag flag) {
    return (static_cast<unsigned>(r.flags) & static_cast<unsigned>(flag)) != 0;
  };
  if (is(CUPTI_ACTIVITY_FLAG_MARKER_START)) {
    open_ranges_[r.id] = here;
  } else if (is(CUPTI_ACTIVITY_FLAG_MARKER_END)) {
    const auto start = open_ranges_.find(r.id);
    if (start == open_ranges_.end()) return void(++incomplete_);
    write_range(start->second, r.timestamp);
    open_ranges_.erase(start);
  } else if (is(CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS)) {
    json_line line(events_);
    line.text("ph", "i")
        .text("cat", "user_annotation")
        .text("name", here.name)
        .text("s", "t")
        .number("pid", process_)
        .number("tid", thread)
        .time("ts", r.timestamp)
        .end();
  }
}

void activity_lines::write_range(const range_start& opened, std::uint64_t end_ns) {
  struct {
    std::uint64_t start, end;
  } const when{opened.at_ns, end_ns};
  if (!complete(when.start, when.end)) return;
  json_line line(events_);
  begin(line, "user_annotation", opened.name, when, process_, opened.thread).end();
}

void activity_lines::take(const CUpti_ActivityDevice5& r) {
  json_line line(facts_);
  line.open("device")
      .number("id", r.id)
      .text("name", r.name == nullptr ? "" : r.name)
      .number("totalGlobalMem", r.globalMemorySize)
      .number("computeMajor", r.computeCapabilityMajor)
      .number("computeMinor", r.computeCapabilityMinor)
      .number("maxThreadsPerBlock", r.maxThreadsPerBlock)
      .number("maxThreadsPerMultiprocessor", r.maxWarpsPerMultiprocessor * r.numThreadsPerWarp)
      .number("regsPerBlock", r.maxRegistersPerBlock)
      .number("warpSize", r.numThreadsPerWarp)
      .number("sharedMemPerBlock", r.maxSharedMemoryPerBlock)
      .number("numSms", r.numMultiprocessors)
      .number("regsPerMultiprocessor", r.maxRegistersPerMultiprocessor)
      .number("sharedMemPerMultiprocessor", r.maxSharedMemoryPerMultiprocessor);
  line.close().end();
}

const std::string& activity_lines::kernel_name(const char* symbol) {
  const std::string mangled = symbol == nullptr ? "a kernel without a name" : symbol;
  auto& name = kernels_[mangled];
  if (!name.empty()) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  name = status == 0 && text != nullptr ? text : mangled;
  std::free(text);
  return name;
}

const std::string& activity_lines::call_name(CUpti_CallbackDomain domain, CUpti_CallbackId call) {
  auto& name = calls_[{static_cast<int>(domain), call}];
  if (name.empty()) name = without_version(namer_(domain, call));
  if (name.empty()) name = "call " + std::to_string(call);
  return name;
}

std::uint32_t activity_lines::device_of(std::uint32_t context) const {
  const auto at = devices_.find(context);
  return at == devices_.end() ? 0 : at->second;
}

}  // namespace ridge::backends::profile_cupti
