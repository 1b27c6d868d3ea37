// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <unordered_map>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

std::unordered_map<std::int64_t, std::string> counter_names(const json& tool) {
  std::unordered_map<std::int64_t, std::string> names;
  for (const auto& counter : list(tool, "counters"))
    names.insert_or_assign(handle(counter, "id"), text(counter, "name"));
  return names;
}

}  // namespace

// A counter has one record per instance (shader engine, channel ...); a kernel's value is their sum.
void read_counters(rocprof_document& document) {
  const auto names = counter_names(document.tool);
  for (const auto& collected : list(part(document.tool, "callback_records"), "counter_collection")) {
    const auto& info = part(part(collected, "dispatch_data"), "dispatch_info");
    const auto kernel = document.builder.add(
        trace::profiled_kernel{.id = whole(info, "dispatch_id"),
                               .name = document.builder.intern(document.kernel(whole(info, "kernel_id", -1))),
                               .process = static_cast<std::int32_t>(document.process),
                               .stream = static_cast<std::int32_t>(handle(info, "queue_id"))});
    std::map<std::int64_t, double> sums;
    for (const auto& record : list(collected, "records")) {
      const auto& value = part(record, "value");
      if (value.is_number()) sums[handle(record, "counter_id")] += value.get<double>();
    }
    for (const auto& [counter, value] : sums) {
      const auto at = names.find(counter);
      const auto name = at == names.end() ? "counter " + std::to_string(counter) : at->second;
      document.builder.add(
          trace::kernel_metric{.value = value, .kernel = kernel, .metric = document.builder.intern(name)});
    }
  }
}

}  // namespace ridge::backends::trace_rocprof_json
