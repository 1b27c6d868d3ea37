// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

using trace::category;

struct call_list {
  const char* key;
  category kind;
};

// The first call of a correlation on its thread counts as the launch: a call of HIP precedes the calls of HSA
// that it makes.
constexpr std::array call_lists{call_list{"hip_api", category::api}, call_list{"hsa_api", category::api},
                                call_list{"rccl_api", category::other}};

void read_list(rocprof_document& document, const call_list& calls) {
  for (const auto& record : list(part(document.tool, "buffer_records"), calls.key))
    document.builder.add(
        document.event(record, calls.kind, document.operation(record), document.thread_of(record)));
}

// Reads ranges and marks of roctx, whose text is stored separately under the record's correlation.
void read_markers(rocprof_document& document) {
  for (const auto& record : list(part(document.tool, "buffer_records"), "marker_api")) {
    const auto given = document.marker(whole(part(record, "correlation_id"), "internal", -1));
    auto event =
        document.event(record, category::annotation, given.empty() ? document.operation(record) : given,
                       document.thread_of(record));
    event.correlation = 0;
    if (event.duration_ns == 0) {
      event.kind = category::mark;
      event.flags = trace::flag_instant;
    }
    document.builder.add(event);
  }
}

}  // namespace

void read_calls(rocprof_document& document) {
  for (const auto& calls : call_lists) read_list(document, calls);
  read_markers(document);
}

}  // namespace ridge::backends::trace_rocprof_json
