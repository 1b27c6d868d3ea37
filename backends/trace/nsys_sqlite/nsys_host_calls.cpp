// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;

// Tables of calls with a start, an end, a thread and a name in one of two columns.
struct call_table {
  std::string_view name;
  category kind;
};

constexpr std::array call_tables{
    call_table{"CUPTI_ACTIVITY_KIND_RUNTIME", category::api},
    call_table{"CUPTI_ACTIVITY_KIND_OVERHEAD", category::overhead},
    call_table{"PROFILER_OVERHEAD", category::overhead},
    call_table{"OSRT_API", category::os_call},
    call_table{"CUDNN_EVENTS", category::other},
    call_table{"CUBLAS_EVENTS", category::other},
    call_table{"CUDA_GRAPH_EVENTS", category::other},
    call_table{"CUDA_GRAPH_NODE_EVENTS", category::other},
    call_table{"MPI_P2P_EVENTS", category::other},
    call_table{"MPI_COLLECTIVES_EVENTS", category::other},
    call_table{"MPI_OTHER_EVENTS", category::other},
};

void read_calls(nsys_reading& reading, const call_table& table) {
  auto rows =
      reading.file.rows(table.name, {"start", "end", "globalTid", "correlationId", "nameId", "textId"});
  while (reading.next(rows, table.name)) {
    const auto start = rows.whole_or(0, 0);
    auto name = reading.names.text_in(rows, 4);
    if (name.empty()) name = reading.names.text_in(rows, 5);
    reading.builder.add({.start_ns = start,
                         .duration_ns = std::max<trace::nanoseconds>(rows.whole_or(1, start) - start, 0),
                         .name = reading.builder.intern(without_version(name)),
                         .track = reading.thread_of(rows.whole_or(2, 0)),
                         .correlation = table.kind == category::api ? narrow(rows.whole_or(3, 0)) : 0,
                         .kind = table.kind});
  }
}

// Reads when a thread ran on which CPU: from each "in" to the next "out" of the same thread.
void read_scheduling(nsys_reading& reading) {
  struct running {
    trace::nanoseconds since_ns = 0;
    std::int64_t cpu = 0;
  };
  constexpr auto table = "SCHED_EVENTS";
  std::unordered_map<std::int64_t, running> now;
  auto rows = reading.file.rows(table, {"start", "cpu", "isSchedIn", "globalTid"}, "\"start\"");
  while (reading.next(rows, table)) {
    const auto thread = rows.whole_or(3, 0), at = rows.whole_or(0, 0);
    if (rows.whole_or(2, 0) != 0) {
      now[thread] = {at, rows.whole_or(1, 0)};
    } else if (const auto was = now.extract(thread)) {
      reading.builder.add({.start_ns = was.mapped().since_ns,
                           .duration_ns = at - was.mapped().since_ns,
                           .name = reading.builder.intern(fmt::format("on CPU {}", was.mapped().cpu)),
                           .track = reading.thread_of(thread, trace::track_kind::other),
                           .kind = category::other});
    }
  }
}

}  // namespace

void read_host_calls(nsys_reading& reading) {
  for (const auto& table : call_tables) read_calls(reading, table);
  if (reading.file.has("SCHED_EVENTS", "isSchedIn")) read_scheduling(reading);
}

}  // namespace ridge::backends::trace_nsys_sqlite
