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

// Of one correlation the first call on its thread counts as the launch: HIP stands before what it calls of
// HSA.
constexpr std::array call_lists{call_list{"hip_api", category::api}, call_list{"hsa_api", category::api},
                                call_list{"rccl_api", category::other}};

void read_list(rocprof_document& in, const call_list& calls) {
  for (const auto& record : list(part(in.tool, "buffer_records"), calls.key))
    in.to.add(in.event(record, calls.kind, in.operation(record), in.thread_of(record)));
}

// Ranges and marks of roctx: the text stands apart, under the record's correlation.
void read_markers(rocprof_document& in) {
  for (const auto& record : list(part(in.tool, "buffer_records"), "marker_api")) {
    const auto given = in.marker(whole(part(record, "correlation_id"), "internal", -1));
    auto event = in.event(record, category::annotation, given.empty() ? in.operation(record) : given,
                          in.thread_of(record));
    event.correlation = 0;
    if (event.duration_ns == 0) {
      event.kind = category::mark;
      event.flags = trace::flag_instant;
    }
    in.to.add(event);
  }
}

}  // namespace

void read_calls(rocprof_document& in) {
  for (const auto& calls : call_lists) read_list(in, calls);
  read_markers(in);
}

}  // namespace ridge::backends::trace_rocprof_json
