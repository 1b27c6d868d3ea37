// SPDX-License-Identifier: Apache-2.0
#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {

using trace::category;

// The first call of a correlation on its thread counts as the launch: a call of HIP precedes the calls of HSA
// that it makes.
void add_call(rocprof_document& document, const rocprof_record& record) {
  document.builder.add(
      document.event(record, category::api, document.operation(record), document.thread_of(record)));
}

void add_communication_call(rocprof_document& document, const rocprof_record& record) {
  document.builder.add(
      document.event(record, category::other, document.operation(record), document.thread_of(record)));
}

// A range or mark of roctx, whose text is stored separately under the record's correlation.
void add_marker(rocprof_document& document, const rocprof_record& record) {
  const auto given = document.marker(record.correlation);
  auto event = document.event(record, category::annotation,
                              given.empty() ? document.operation(record) : given, document.thread_of(record));
  event.correlation = 0;
  if (event.duration_ns == 0) {
    event.kind = category::mark;
    event.flags = trace::flag_instant;
  }
  document.builder.add(event);
}

}  // namespace ridge::backends::trace_rocprof_json
