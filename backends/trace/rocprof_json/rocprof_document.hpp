// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::backends::trace_rocprof_json {

using json = nlohmann::json;

// Fields of records; what is not there, or is of another kind, reads as the value given.
[[nodiscard]] std::int64_t whole(const json& record, const char* key, std::int64_t otherwise = 0);
[[nodiscard]] std::string text(const json& record, const char* key);
[[nodiscard]] std::int64_t handle(const json& record,
                                  const char* key);                   // {"key": {"handle": 4}}; -1: not there
[[nodiscard]] const json& part(const json& record, const char* key);  // null where it is not there
[[nodiscard]] const json& list(const json& record, const char* key);  // an array, empty where it is not there

// One process's part of the document ("rocprofiler-sdk-tool"), and the trace that is made of it.
class rocprof_document {
 public:
  rocprof_document(const json& tool, trace::trace_builder& into);

  const json& tool;
  trace::trace_builder& to;
  const std::uint32_t process;

  [[nodiscard]] std::string_view operation(const json& record) const;  // "hipLaunchKernel"
  [[nodiscard]] std::string_view kernel(std::int64_t id) const;
  [[nodiscard]] std::int32_t gpu(std::int64_t agent) const;               // its number, by node; -1: no GPU
  [[nodiscard]] std::string_view marker(std::int64_t correlation) const;  // the text given to roctx; "": none
  // Times, correlation and track of a record.
  [[nodiscard]] trace::event_row event(const json& record, trace::category kind, std::string_view name,
                                       trace::track_id on) const;
  [[nodiscard]] trace::track_id thread_of(const json& record) const;

 private:
  std::unordered_map<std::int64_t, std::string> kernels_{};
  std::unordered_map<std::int64_t, std::int32_t> gpus_{};
  std::unordered_map<std::int64_t, std::string> markers_{};
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> operations_{};
};

void read_facts(rocprof_document& in);
void read_device_work(rocprof_document& in);
void read_calls(rocprof_document& in);
void read_counters(rocprof_document& in);

}  // namespace ridge::backends::trace_rocprof_json
