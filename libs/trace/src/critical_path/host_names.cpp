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

call_role role_of_call(std::string_view call) {
  const auto is = [&](std::string_view part) { return call.find(part) != std::string_view::npos; };
  if (is("StreamSynchronize")) return call_role::stream_sync;
  if (is("EventSynchronize")) return call_role::event_sync;
  if (is("DeviceSynchronize") || is("CtxSynchronize") || is("ThreadSynchronize"))
    return call_role::device_sync;
  if (ends_async(call)) return call_role::plain;
  // Freeing device memory waits for the device (CUDA Runtime API, implicit synchronization).
  if (call == "cudaFree" || call == "hipFree" || call.starts_with("cuMemFree")) return call_role::device_sync;
  if (call.starts_with("cudaMemcpy") || call.starts_with("hipMemcpy") || call.starts_with("cuMemcpy"))
    return call_role::blocking_copy;
  return call_role::plain;
}

bool names_data_loader(std::string_view text) {
  return contains_ignoring_case(text, "dataloader") || contains_ignoring_case(text, "data_loader");
}

}  // namespace ridge::trace
