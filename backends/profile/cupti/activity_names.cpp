// SPDX-License-Identifier: Apache-2.0
#include "activity_names.hpp"

#include <algorithm>
#include <array>

namespace ridge::backends::profile_cupti {
namespace {

const char* direction_name(unsigned code) {
  constexpr std::array names{"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                             "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};
  return code < names.size() ? names[code] : "Unknown";
}

}  // namespace

const char* memory_name(unsigned code) {
  switch (code) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
      return "Pageable";
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return "Pinned";
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
      return "Device";
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
      return "Array";
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
      return "Managed";
    default:
      return "Unknown";
  }
}

std::string copy_name(unsigned direction, unsigned source, unsigned destination) {
  return std::string("Memcpy ") + direction_name(direction) + " (" + memory_name(source) + " -> " +
         memory_name(destination) + ")";
}

const char* wait_name(CUpti_ActivitySynchronizationType type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      return "Event Sync";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      return "Stream Wait Event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      return "Stream Sync";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      return "Context Sync";
    default:
      return "Unknown Sync";
  }
}

const char* overhead_name(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      return "Driver Compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return "Buffer Flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return "Instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return "Resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return "Runtime Triggered Module Loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      return "Lazy Function Loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      return "Command Buffer Full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return "Activity Buffer Request";
    default:
      return "Unknown";
  }
}

bool is_noise(std::string_view call) {
  constexpr std::array<std::string_view, 14> names{
      "cudaGetLastError",           "cudaPeekAtLastError",   "cudaGetDevice",    "cudaSetDevice",
      "cudaDeviceGetAttribute",     "cudaStreamIsCapturing", "cuCtxGetCurrent",  "cuCtxGetDevice",
      "cuDevicePrimaryCtxGetState", "cuDeviceGetAttribute",  "cuGetProcAddress", "cuKernelGetName",
      "cuKernelGetFunction",        "cuFuncGetAttribute"};
  return std::ranges::find(names, call) != names.end();
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

}  // namespace ridge::backends::profile_cupti
