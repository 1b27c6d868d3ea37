// SPDX-License-Identifier: Apache-2.0
#include "timeline/activity_names.hpp"

#include <algorithm>
#include <initializer_list>

#include <ridge/base/text.hpp>

#include "events/name_match.hpp"

namespace ridge::trace {
namespace {

using name_parts = std::initializer_list<std::string_view>;

bool contains_one_of(std::string_view name, name_parts wanted) {
  return std::ranges::any_of(wanted, [&](auto part) { return contains(name, part); });
}

bool contains_one_of_any_case(std::string_view name, name_parts wanted) {
  return std::ranges::any_of(wanted, [&](auto part) { return contains_ignoring_case(name, part); });
}

idle_cause of_api(std::string_view name) {
  if (contains_one_of(name, {"ModuleLoad", "LibraryLoad", "GraphInstantiate", "LinkCreate", "LinkAddData",
                             "LinkComplete", "nvrtc", "hiprtc", "RegisterFatBinary"}))
    return idle_cause::code_loading;
  if (contains_one_of(name, {"Memcpy", "Memset"})) return idle_cause::copy_call;
  if (contains_one_of(
          name, {"Malloc", "Free", "HostAlloc", "AllocHost", "MemAlloc", "HostRegister", "HostUnregister",
                 "MemCreate", "MemMap", "MemUnmap", "MemRelease", "MemAddressReserve", "MemSetAccess"}))
    return idle_cause::allocation;
  if (contains_one_of(name, {"Synchronize"})) return idle_cause::synchronization;
  return idle_cause::other_api;
}

// Old profilers hold ranges as operators.
idle_cause of_op(std::string_view name) {
  if (name.starts_with("ProfilerStep#")) return idle_cause::unknown;
  return contains_one_of(name, {"enumerate(DataLoader)"}) ? idle_cause::data_loading : idle_cause::framework;
}

idle_cause of_overhead(std::string_view name) {
  return contains_one_of_any_case(name, {"load", "compil", "jit"}) ? idle_cause::code_loading
                                                                   : idle_cause::profiler;
}

idle_cause of_annotation(std::string_view name) {
  if (contains_one_of_any_case(name, {"dataloader", "data_load", "data load", "load_batch", "wait_for_batch",
                                      "next_batch", "get_batch", "fetch_batch"}))
    return idle_cause::data_loading;
  return contains_one_of_any_case(name, {"garbage collect", "gc.collect"}) ? idle_cause::garbage_collection
                                                                           : idle_cause::unknown;
}

// Only these frames of the files count: a thread's whole life is below threading.py's `run`.
bool waits_in_library(std::string_view name) {
  return contains_one_of(name, {"threading.py(", "queue.py("}) &&
         std::ranges::any_of(
             name_parts{": wait", ": acquire", ": join", ": get", ": put", "_wait_for_tstate_lock"},
             [&](auto end) { return name.ends_with(end); });
}

// Frames are "file.py(12): function" or "<built-in method f of X object at 0x..>".
idle_cause of_python(std::string_view name) {
  if (contains_one_of(name, {"torch/utils/data/", "DataLoader"})) return idle_cause::data_loading;
  if (contains_one_of(name, {"triton/compiler/", "_inductor/compile_fx", "_inductor/async_compile",
                             "_dynamo/convert_frame", "cpp_extension.py"}))
    return idle_cause::code_loading;
  if (contains_one_of(name, {"gc.collect", "<built-in function collect>"}))
    return idle_cause::garbage_collection;
  if (contains_one_of(name, {"method acquire of"}) || waits_in_library(name)) return idle_cause::lock;
  if (contains_one_of(name, {"function sleep>", "method poll of", "function select>", "method recv of"}))
    return idle_cause::off_cpu;
  return idle_cause::python;
}

idle_cause of_os_call(std::string_view name) {
  return contains_one_of(name, {"mutex", "cond_", "futex", "sem_", "rwlock"}) ? idle_cause::lock
                                                                              : idle_cause::off_cpu;
}

}  // namespace

std::optional<idle_cause> cause_told_by(category kind, std::string_view name) {
  switch (kind) {
    case category::api:
      return of_api(name);
    case category::op:
      return of_op(name);
    case category::annotation:
      return of_annotation(name);
    case category::python:
      return of_python(name);
    case category::overhead:
      return of_overhead(name);
    case category::os_call:
      return of_os_call(name);
    case category::synchronization:
      if (contains_one_of_any_case(name, {"stream wait event", "stream_wait_event"}))
        return {};  // the stream waits
      return idle_cause::synchronization;
    case category::other:
      if (contains_one_of_any_case(name, {"off-cpu", "off_cpu"})) return idle_cause::off_cpu;
      return {};
    default:
      return {};
  }
}

}  // namespace ridge::trace
