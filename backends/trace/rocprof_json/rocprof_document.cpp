// SPDX-License-Identifier: Apache-2.0
#include "rocprof_document.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridge::backends::trace_rocprof_json {
namespace {

constexpr std::int64_t gpu_type = 2;  // ROCPROFILER_AGENT_TYPE_GPU

std::vector<const json*> gpus_by_node(const json& tool) {
  std::vector<const json*> gpus;
  for (const auto& agent : list(tool, "agents")) {
    if (whole(agent, "type") == gpu_type) gpus.push_back(&agent);
  }
  std::ranges::stable_sort(gpus, {}, [](const json* agent) { return whole(*agent, "node_id"); });
  return gpus;
}

std::string kernel_name(const json& symbol) {
  for (const auto* key : {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"}) {
    if (auto name = text(symbol, key); !name.empty()) return name;
  }
  return {};
}

std::string_view found(const auto& names, const auto& key) {
  const auto at = names.find(key);
  return at == names.end() ? std::string_view{} : std::string_view(at->second);
}

trace::device_facts facts_of(const json& agent, std::int32_t number) {
  std::int64_t bytes = 0;
  for (const auto& bank : list(agent, "mem_banks")) bytes += whole(bank, "size_in_bytes");
  const auto product = text(agent, "product_name");
  const auto as_int = [&](const char* key) { return static_cast<int>(whole(agent, key)); };
  const int lanes = as_int("wave_front_size");
  return {.id = number,
          .name = product.empty() ? text(agent, "name") : product,
          .memory_bytes = bytes,
          .sms = as_int("cu_count"),
          .warp_size = lanes,
          .threads_per_sm = lanes * as_int("simd_per_cu") * as_int("max_waves_per_simd"),
          .shared_bytes_per_sm = as_int("lds_size_in_kb") * 1024,
          .clock_hz = 1e6 * static_cast<double>(whole(agent, "max_engine_clk_fcompute"))};
}

}  // namespace

const json& part(const json& record, const char* key) {
  static const json nothing;
  if (!record.is_object()) return nothing;
  const auto at = record.find(key);
  return at == record.end() ? nothing : *at;
}

const json& list(const json& record, const char* key) {
  static const json nothing = json::array();
  const auto& found = part(record, key);
  return found.is_array() ? found : nothing;
}

std::int64_t whole(const json& record, const char* key, std::int64_t otherwise) {
  const auto& value = part(record, key);
  if (value.is_number_unsigned()) {
    const auto n = value.get<std::uint64_t>();
    return n <= std::uint64_t{std::numeric_limits<std::int64_t>::max()} ? static_cast<std::int64_t>(n)
                                                                        : otherwise;
  }
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

std::string text(const json& record, const char* key) {
  const auto& value = part(record, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t handle(const json& record, const char* key) { return whole(part(record, key), "handle", -1); }

rocprof_document::rocprof_document(const json& document, trace::trace_builder& builder)
    : tool(document), builder(builder), process(builder.process(whole(part(document, "metadata"), "pid"))) {
  for (const auto& symbol : list(tool, "kernel_symbols"))
    kernels_.insert_or_assign(whole(symbol, "kernel_id", -1), kernel_name(symbol));
  for (const auto* agent : gpus_by_node(tool))
    gpus_.try_emplace(handle(*agent, "id"), static_cast<std::int32_t>(gpus_.size()));
  const auto& strings = part(tool, "strings");
  for (const auto& m : list(strings, "marker_api"))
    markers_.insert_or_assign(whole(m, "key", -1), text(m, "value"));
  std::int64_t kind = 0;
  for (const auto& of_kind : list(strings, "buffer_records")) {
    std::int64_t operation = 0;
    for (const auto& name : list(of_kind, "operations"))
      operations_.try_emplace({kind, operation++}, name.is_string() ? name.get<std::string>() : "");
    ++kind;
  }
}

std::string_view rocprof_document::operation(const rocprof_record& record) const {
  return found(operations_, std::pair(record.kind, record.operation));
}

void rocprof_document::name_counters(const json& counters) {
  for (const auto& counter : counters)
    counters_.insert_or_assign(handle(counter, "id"), text(counter, "name"));
}

std::string_view rocprof_document::counter(std::int64_t id) const { return found(counters_, id); }

std::string_view rocprof_document::kernel(std::int64_t id) const {
  const auto name = found(kernels_, id);
  return name.empty() ? "kernel" : name;
}

std::int32_t rocprof_document::gpu(std::int64_t agent) const {
  const auto at = gpus_.find(agent);
  return at == gpus_.end() ? -1 : at->second;
}

std::string_view rocprof_document::marker(std::int64_t correlation) const {
  return found(markers_, correlation);
}

trace::event_row rocprof_document::event(const rocprof_record& record, trace::category kind,
                                         std::string_view name, trace::track_id track) const {
  const auto start = std::max<std::int64_t>(record.start, 0), end = record.end < 0 ? start : record.end;
  if (end < start) builder.facts().quality.add(trace::flaw::negative_duration, 0, name);
  return {.start_ns = start,
          .duration_ns = std::max<trace::nanoseconds>(end - start, 0),
          .name = builder.intern(name),
          .track = track,
          .correlation = record.correlation < 0 ? 0 : static_cast<std::uint32_t>(record.correlation),
          .kind = kind};
}

trace::track_id rocprof_document::thread_of(const rocprof_record& record) const {
  return builder.track_of(trace::track_kind::thread, process, record.thread);
}

void read_facts(rocprof_document& document) {
  auto& facts = document.builder.facts();
  std::int32_t number = 0;
  for (const auto* agent : gpus_by_node(document.tool)) facts.devices.push_back(facts_of(*agent, number++));
  const auto& metadata = part(document.tool, "metadata");
  const auto& command = list(metadata, "command");
  if (!command.empty() && command[0].is_string())
    facts.processes[document.process].name = command[0].get<std::string>();
  facts.source.producer = "rocprofv3";
  facts.source.host = text(part(metadata, "node"), "hostname");
}

}  // namespace ridge::backends::trace_rocprof_json
