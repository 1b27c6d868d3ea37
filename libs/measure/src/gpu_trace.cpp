// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/gpu_trace.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

namespace ridge::measure {
namespace {

bool has(std::string_view name, std::string_view word) { return name.find(word) != std::string_view::npos; }

template <std::size_t N>
bool has_any(std::string_view name, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(words, [&](auto word) { return has(name, word); });
}

// Orders calls by start. Outer calls end last, so of two that start together the outer one comes first.
bool outer_first(const gpu_api_call& a, const gpu_api_call& b) {
  return std::tuple(a.thread, a.start_s, -a.end_s) < std::tuple(b.thread, b.start_s, -b.end_s);
}

}  // namespace

void put_in_order(gpu_trace& trace) {
  std::ranges::stable_sort(trace.activities, {}, &gpu_activity::start_s);
  std::ranges::stable_sort(trace.calls, outer_first);
  std::vector<gpu_api_call> own;
  own.reserve(trace.calls.size());
  std::unordered_map<std::uint32_t, std::uint32_t> made_by;
  for (auto& call : trace.calls) {
    const bool inner = !own.empty() && own.back().thread == call.thread &&
                       call.start_s >= own.back().start_s && call.end_s <= own.back().end_s;
    if (inner) {
      made_by[call.id] = own.back().id;
    } else {
      own.push_back(std::move(call));
    }
  }
  for (auto& activity : trace.activities) {
    if (const auto outer = made_by.find(activity.call); outer != made_by.end()) activity.call = outer->second;
  }
  std::ranges::stable_sort(own, {}, &gpu_api_call::start_s);
  trace.calls = std::move(own);
}

std::map<std::string, std::uint64_t> count_by_name(std::span<const gpu_api_call> calls) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& call : calls) ++counts[call.name];
  return counts;
}

api_effect effect_of(std::string_view name) {
  static constexpr std::array<std::string_view, 9> memory{"Malloc",    "Free",         "MemAlloc",
                                                          "HostAlloc", "HostRegister", "HostUnregister",
                                                          "MemCreate", "MemMap",       "MemUnmap"};
  static constexpr std::array<std::string_view, 12> objects{
      "StreamCreate", "StreamDestroy",    "EventCreate",      "EventDestroy", "CtxCreate",   "CtxDestroy",
      "PrimaryCtx",   "GraphInstantiate", "GraphExecDestroy", "ModuleLoad",   "LibraryLoad", "DeviceReset"};
  if (has(name, "Synchronize")) return api_effect::waits;
  if (has_any(name, objects)) return api_effect::makes_objects;
  if (has_any(name, memory)) return api_effect::allocates;
  const bool of_the_host =
      has(name, "Memcpy") && !has(name, "Async") && !has(name, "Node") && !has(name, "Graph");
  return of_the_host ? api_effect::waits : api_effect::none;
}

}  // namespace ridge::measure
