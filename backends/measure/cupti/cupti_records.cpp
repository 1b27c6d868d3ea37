// SPDX-License-Identifier: Apache-2.0
#include "cupti_records.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace ridge::backends::measure_cupti {
namespace {

using measure::copy_direction;
using measure::gpu_activity;
using measure::gpu_activity_kind;
using measure::memory_kind;

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

memory_kind kind_of(unsigned code) {
  switch (code) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
      return memory_kind::pageable;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return memory_kind::pinned;
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
      return memory_kind::device;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
      return memory_kind::managed;
    default:
      return memory_kind::unknown;
  }
}

copy_direction direction_of(unsigned code) {
  switch (code) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return copy_direction::to_device;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return copy_direction::to_host;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return copy_direction::on_host;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return copy_direction::between_devices;
    default:
      return copy_direction::on_device;
  }
}

const char* name_of(copy_direction d) {
  switch (d) {
    case copy_direction::to_device:
      return "copy to device";
    case copy_direction::to_host:
      return "copy to host";
    case copy_direction::between_devices:
      return "copy between devices";
    case copy_direction::on_host:
      return "copy on host";
    default:
      return "copy on device";
  }
}

// Sets what records of kernels, copies and sets have in common.
template <class Record>
gpu_activity work(const Record& r, gpu_activity_kind kind) {
  return {.kind = kind,
          .start_s = seconds(r.start),
          .end_s = seconds(r.end),
          .device = static_cast<int>(r.deviceId),
          .stream = r.streamId,
          .graph = r.graphNodeId != 0 ? r.graphId : 0,
          .node = r.graphNodeId,
          .call = r.correlationId};
}

gpu_activity read(const CUpti_ActivityKernel10& r) {
  auto made = work(r, gpu_activity_kind::kernel);
  made.name = measure::short_kernel_name(demangled(r.name));
  made.grid = {r.gridX, r.gridY, r.gridZ};
  made.block = {r.blockX, r.blockY, r.blockZ};
  return made;
}

gpu_activity read(const CUpti_ActivityMemcpy6& r) {
  auto made = work(r, gpu_activity_kind::copy);
  made.direction = direction_of(r.copyKind);
  made.name = name_of(made.direction);
  made.bytes = static_cast<double>(r.bytes);
  made.source = kind_of(r.srcKind);
  made.destination = kind_of(r.dstKind);
  return made;
}

gpu_activity read(const CUpti_ActivityMemcpyPtoP4& r) {
  auto made = work(r, gpu_activity_kind::copy);
  made.direction = copy_direction::between_devices;
  made.name = name_of(made.direction);
  made.bytes = static_cast<double>(r.bytes);
  made.source = kind_of(r.srcKind);
  made.destination = kind_of(r.dstKind);
  return made;
}

gpu_activity read(const CUpti_ActivityMemset4& r) {
  auto made = work(r, gpu_activity_kind::set);
  made.name = "set";
  made.bytes = static_cast<double>(r.bytes);
  made.destination = kind_of(r.memoryKind);
  return made;
}

gpu_activity read(const CUpti_ActivityMemory4& r) {
  const bool release = r.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  return {.kind = release ? gpu_activity_kind::release : gpu_activity_kind::allocation,
          .name = release ? "release" : "allocation",
          .start_s = seconds(r.timestamp),
          .end_s = seconds(r.timestamp),
          .device = static_cast<int>(r.deviceId),
          .stream = r.streamId,
          .bytes = static_cast<double>(r.bytes),
          .destination = kind_of(static_cast<unsigned>(r.memoryKind)),
          .call = r.correlationId};
}

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return reinterpret_cast<const Record&>(record);
}

void add_work(gpu_activity made, measure::gpu_trace& trace) {
  if (made.end_s <= 0) {
    ++trace.dropped;
  } else {
    trace.activities.push_back(std::move(made));
  }
}

void add_call(const CUpti_ActivityAPI& r, CUpti_CallbackDomain domain, const api_names& names,
              measure::gpu_trace& trace) {
  trace.calls.push_back({.name = names(domain, r.cbid),
                         .start_s = seconds(r.start),
                         .end_s = seconds(r.end),
                         .thread = r.threadId,
                         .id = r.correlationId});
}

}  // namespace

void add_record(const CUpti_Activity& record, const api_names& names, measure::gpu_trace& trace) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return add_work(read(as<CUpti_ActivityKernel10>(record)), trace);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return add_work(read(as<CUpti_ActivityMemcpy6>(record)), trace);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return add_work(read(as<CUpti_ActivityMemcpyPtoP4>(record)), trace);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return add_work(read(as<CUpti_ActivityMemset4>(record)), trace);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return trace.activities.push_back(read(as<CUpti_ActivityMemory4>(record)));
    case CUPTI_ACTIVITY_KIND_STREAM:
      return trace.streams_made.push_back(as<CUpti_ActivityStream>(record).streamId);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return add_call(as<CUpti_ActivityAPI>(record), CUPTI_CB_DOMAIN_RUNTIME_API, names, trace);
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return add_call(as<CUpti_ActivityAPI>(record), CUPTI_CB_DOMAIN_DRIVER_API, names, trace);
    default:
      return;
  }
}

std::string without_version(std::string name) {
  const auto version = name.rfind("_v");
  const bool numbered = version != std::string::npos && version + 2 < name.size() &&
                        name.find_first_not_of("0123456789", version + 2) == std::string::npos;
  if (numbered) name.resize(version);
  for (const std::string_view part : {"_ptsz", "_ptds"}) {
    if (name.ends_with(part)) name.resize(name.size() - part.size());
  }
  return name;
}

std::string demangled(const char* name) {
  if (name == nullptr) return "a kernel without a name";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

}  // namespace ridge::backends::measure_cupti
