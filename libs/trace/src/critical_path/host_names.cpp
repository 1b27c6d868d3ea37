// SPDX-License-Identifier: Apache-2.0
#include "critical_path/host_names.hpp"

#include <algorithm>
#include <array>

#include <ridge/base/text.hpp>

#include "events/name_match.hpp"

namespace ridge::trace {
namespace {

bool ends_async(std::string_view call) { return call.find("Async") != std::string_view::npos; }

}  // namespace

call_role role_of_call(std::string_view name) {
  const auto is = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (is("StreamSynchronize")) return call_role::stream_sync;
  if (is("EventSynchronize")) return call_role::event_sync;
  if (is("DeviceSynchronize") || is("CtxSynchronize") || is("ThreadSynchronize"))
    return call_role::device_sync;
  if (ends_async(name)) return call_role::plain;
  // Freeing device memory waits for the device (CUDA Runtime API, implicit synchronization).
  if (name == "cudaFree" || name == "hipFree" || name.starts_with("cuMemFree")) return call_role::device_sync;
  if (name.starts_with("cudaMemcpy") || name.starts_with("hipMemcpy") || name.starts_with("cuMemcpy"))
    return call_role::blocking_copy;
  return call_role::plain;
}

bool names_data_loader(std::string_view name) {
  return contains_ignoring_case(name, "dataloader") || contains_ignoring_case(name, "data_loader");
}

}  // namespace ridge::trace
