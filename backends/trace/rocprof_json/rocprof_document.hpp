// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include <nlohmann/json_fwd.hpp>

#include <ridge/trace/trace_builder.hpp>

#include "rocprof_record.hpp"

namespace ridge::backends::trace_rocprof_json {

using json = nlohmann::json;

// Return fields of records. A field that is missing or of another type reads as the value given.
[[nodiscard]] std::int64_t whole(const json& record, const char* key, std::int64_t otherwise = 0);
[[nodiscard]] std::string text(const json& record, const char* key);
[[nodiscard]] std::int64_t handle(const json& record,
                                  const char* key);                   // {"key": {"handle": 4}}; -1: missing
[[nodiscard]] const json& part(const json& record, const char* key);  // null where it is missing
[[nodiscard]] const json& list(const json& record, const char* key);  // an array, empty where it is missing

// What one process's part of the document ("rocprofiler-sdk-tool") says besides its records, and the trace
// that is built from it.
class rocprof_document {
 public:
  rocprof_document(const json& document, trace::trace_builder& builder);

  const json& tool;
  trace::trace_builder& builder;
  const std::uint32_t process;

  [[nodiscard]] std::string_view operation(const rocprof_record& record) const;  // "hipLaunchKernel"
  [[nodiscard]] std::string_view kernel(std::int64_t id) const;
  [[nodiscard]] std::int32_t gpu(
      std::int64_t agent) const;  // its number in the order of nodes; -1: not a GPU
  [[nodiscard]] std::string_view counter(std::int64_t id) const;
  [[nodiscard]] std::string_view marker(std::int64_t correlation) const;  // the text given to roctx; "": none
  void name_counters(const json& counters);
  // Returns an event with times, correlation and track of a record.
  [[nodiscard]] trace::event_row event(const rocprof_record& record, trace::category kind,
                                       std::string_view name, trace::track_id track) const;
  [[nodiscard]] trace::track_id thread_of(const rocprof_record& record) const;

 private:
  std::unordered_map<std::int64_t, std::string> kernels_{};
  std::unordered_map<std::int64_t, std::int32_t> gpus_{};
  std::unordered_map<std::int64_t, std::string> markers_{}, counters_{};
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> operations_{};
};

void read_facts(rocprof_document& document);

// Adds one record of a list of "buffer_records".
using record_function = void (*)(rocprof_document& document, const rocprof_record& record);
void add_kernel(rocprof_document& document, const rocprof_record& record);
void add_copy(rocprof_document& document, const rocprof_record& record);
void add_call(rocprof_document& document, const rocprof_record& record);
void add_communication_call(rocprof_document& document, const rocprof_record& record);
void add_marker(rocprof_document& document, const rocprof_record& record);

// Adds one element of "counter_collection".
void add_counters(rocprof_document& document, const json& collected);

}  // namespace ridge::backends::trace_rocprof_json
