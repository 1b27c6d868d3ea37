// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {

// A counter has one record per instance (shader engine, channel ...); a kernel's value is their sum.
void add_counters(rocprof_document& document, const json& collected) {
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
    const auto told = document.counter(counter);
    const auto name = told.empty() ? "counter " + std::to_string(counter) : std::string(told);
    document.builder.add(
        trace::kernel_metric{.value = value, .kernel = kernel, .metric = document.builder.intern(name)});
  }
}

}  // namespace ridge::backends::trace_rocprof_json
