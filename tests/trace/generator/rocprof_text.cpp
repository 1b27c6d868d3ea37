// SPDX-License-Identifier: Apache-2.0
#include "generator/rocprof_text.hpp"

#include <string>

#include <fmt/format.h>

#include "generator/invented_names.hpp"

namespace ridge::trace::generator {
namespace {

constexpr std::uint64_t first_ns = 1'700'000'000'000'000'000, step_ns = 5'000;
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

std::string head(const std::vector<std::string>& kernels) {
  std::string text =
      R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 77, "node": {"hostname": "invented"}, "command": ["./train"]},
 "agents": [{"id": {"handle": 1}, "type": 1, "node_id": 0, "name": "cpu"},
  {"id": {"handle": 2}, "type": 2, "node_id": 1, "name": "gfx942", "product_name": "MI300X", "cu_count": 304},
  {"id": {"handle": 3}, "type": 2, "node_id": 2, "name": "gfx942", "product_name": "MI300X", "cu_count": 304}],
 "strings": {"buffer_records": [{"kind": "NONE", "operations": []},
  {"kind": "HIP_RUNTIME_API", "operations": ["hipMalloc", "hipLaunchKernel", "hipMemcpyAsync"]}]},
 "kernel_symbols": [)";
  for (std::size_t k = 0; k < kernels.size(); ++k)
    text += fmt::format(R"({}{{"kernel_id": {}, "kernel_name": "{}", "formatted_kernel_name": "{}"}})",
                        k ? ",\n  " : "", k, kernels[k], kernels[k]);
  return text + "],\n \"buffer_records\": {";
}

std::string call(std::uint64_t n, int operation) {
  return fmt::format(
      R"({{"size": 48, "kind": 1, "operation": {}, "correlation_id": {{"internal": {}, "external": 0}}, "start_timestamp": {}, "end_timestamp": {}, "thread_id": 78}})",
      operation, n, first_ns + n * step_ns, first_ns + n * step_ns + 1'700);
}

std::string kernel(std::uint64_t n, std::size_t kernels) {
  return fmt::format(
      R"({{"size": 152, "kind": 11, "operation": 3, "thread_id": 78, "correlation_id": {{"internal": {}, "external": 0}}, "start_timestamp": {}, "end_timestamp": {}, "dispatch_info": {{"size": 88, "agent_id": {{"handle": {}}}, "queue_id": {{"handle": 2}}, "kernel_id": {}, "dispatch_id": {}, "private_segment_size": 0, "group_segment_size": 4096, "workgroup_size": {{"x": 256, "y": 1, "z": 1}}, "grid_size": {{"x": {}, "y": 2, "z": 1}}}}}})",
      n, first_ns + n * step_ns + 3'000, first_ns + n * step_ns + 6'500, 2 + n % 2, n % kernels, n,
      256 * (1 + n % 512));
}

std::string copy(std::uint64_t n) {
  return fmt::format(
      R"({{"size": 64, "kind": 13, "operation": 2, "thread_id": 78, "correlation_id": {{"internal": {}, "external": 0}}, "start_timestamp": {}, "end_timestamp": {}, "dst_agent_id": {{"handle": 2}}, "src_agent_id": {{"handle": 1}}, "bytes": {}}})",
      n, first_ns + n * step_ns + 2'000, first_ns + n * step_ns + 4'000, 4096 * (1 + n % 64));
}

}  // namespace

void write_rocprof_text(std::uint64_t records, const std::function<void(std::string_view)>& sink) {
  const auto kernels = kernel_names();
  const auto tens = (records + 9) / 10;
  auto text = head(kernels);
  const auto list = [&](std::string_view key, std::uint64_t count, const auto& record) {
    text += fmt::format("\"{}\": [", key);
    for (std::uint64_t i = 0; i < count; ++i) {
      text += i == 0 ? "\n" : ",\n";
      text += record(i);
      if (text.size() < piece_bytes) continue;
      sink(text);
      text.clear();
    }
    text += "]";
  };
  // Of each ten numbers four are launches and their kernels, one is a copy and its call.
  list("kernel_dispatch", 4 * tens,
       [&](std::uint64_t i) { return kernel(i / 4 * 5 + i % 4, kernels.size()); });
  text += ",\n";
  list("hip_api", 5 * tens, [](std::uint64_t i) { return call(i, i % 5 == 4 ? 2 : 1); });
  text += ",\n";
  list("memory_copy", tens, [](std::uint64_t i) { return copy(5 * i + 4); });
  sink(text + "}}]}\n");
}

}  // namespace ridge::trace::generator
