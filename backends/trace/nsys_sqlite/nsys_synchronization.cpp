// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>
#include <map>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;
using trace::sync_kind;

constexpr auto recorded = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
constexpr auto waited = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";

struct record_call {
  std::int32_t stream = -1;
  std::uint32_t correlation = 0;
};
// Recordings by process and the number that a recording shares with the waits for it.
using record_calls = std::map<std::pair<std::int64_t, std::int64_t>, record_call>;

// The stream number 2^32 - 1 means none.
std::int32_t stream_in(const table_rows& row, int column) {
  const auto stream = row.whole_or(column, 0xffffffff);
  return stream >= 0 && stream < 0x7fffffff ? static_cast<std::int32_t>(stream) : -1;
}

// The columns that both tables have, in this order.
enum wait_column : int {
  wait_pid,
  wait_context,
  wait_device,
  wait_stream,
  wait_correlation,
  wait_sync_id,
  own_wait_column
};

table_rows waiting_rows(const nsys_reading& reading, std::string_view table,
                        std::initializer_list<std::string_view> own) {
  std::vector<std::string_view> columns{"globalPid", "contextId",     "deviceId",
                                        "streamId",  "correlationId", "eventSyncId"};
  columns.insert(columns.end(), own);
  return reading.file.rows(table, columns);
}

std::int32_t device_in(const nsys_reading& reading, std::uint32_t process, const table_rows& row) {
  const auto told = static_cast<std::int32_t>(row.whole_or(wait_device, 0));
  const auto id = row.whole(wait_context);
  return id ? reading.device_of(process, narrow(*id), told) : told;
}

trace::track_id track_of(nsys_reading& reading, std::uint32_t process, std::int32_t device,
                         std::int32_t stream) {
  if (stream >= 0) return reading.stream_of(process, device, stream);
  return reading.builder.track_of(trace::track_kind::device,
                                  process == trace::none ? reading.builder.process(0) : process, 0, device);
}

record_calls read_recordings(nsys_reading& reading) {
  record_calls all;
  auto rows = waiting_rows(reading, recorded, {"timestamp"});
  while (reading.next(rows, recorded)) {
    const auto on_stream = stream_in(rows, wait_stream);
    const auto call = narrow(rows.whole_or(wait_correlation, 0));
    const auto process = reading.launching_process(rows.whole(wait_pid));
    if (const auto id = rows.whole(wait_sync_id)) all[{rows.whole_or(wait_pid, 0), *id}] = {on_stream, call};
    reading.builder.add({.start_ns = rows.whole_or(own_wait_column, 0),
                         .name = reading.builder.intern("cudaEventRecord"),
                         .track = track_of(reading, process, device_in(reading, process, rows), on_stream),
                         .correlation = call,
                         .kind = category::device_event,
                         .flags = trace::flag_instant});
  }
  return all;
}

struct waiting {
  sync_kind kind = sync_kind::unknown;
  std::string_view name = "Synchronize";
};

waiting waiting_of(std::int64_t type) {  // CUpti_ActivitySynchronizationType
  switch (type) {
    case 1:
      return {sync_kind::event, "Event Sync"};
    case 2:
      return {sync_kind::stream_wait_event, "Stream Wait Event"};
    case 3:
      return {sync_kind::stream, "Stream Sync"};
    case 4:
      return {sync_kind::device, "Context Sync"};
    default:
      return {};
  }
}

}  // namespace

void read_synchronization(nsys_reading& reading) {
  const auto recordings = read_recordings(reading);
  auto rows = waiting_rows(reading, waited, {"start", "end", "syncType", "eventId"});
  while (reading.next(rows, waited)) {
    const auto start = rows.whole_or(own_wait_column, 0);
    const auto as = waiting_of(rows.whole_or(own_wait_column + 2, 0));
    const auto process = reading.launching_process(rows.whole(wait_pid));
    trace::sync_detail detail{.kind = as.kind,
                              .device = device_in(reading, process, rows),
                              .stream = stream_in(rows, wait_stream),
                              .event = narrow(rows.whole_or(own_wait_column + 3, 0))};
    const auto at = recordings.find({rows.whole_or(wait_pid, 0), rows.whole_or(wait_sync_id, -1)});
    if (at != recordings.end()) {
      detail.wait_on_stream = at->second.stream;
      detail.wait_on_correlation = at->second.correlation;
    }
    reading.builder.add(
        {.start_ns = start,
         .duration_ns = std::max<trace::nanoseconds>(rows.whole_or(own_wait_column + 1, start) - start, 0),
         .name = reading.builder.intern(as.name),
         .track = track_of(reading, process, detail.device, detail.stream),
         .correlation = narrow(rows.whole_or(wait_correlation, 0)),
         .kind = category::synchronization},
        detail);
  }
}

}  // namespace ridge::backends::trace_nsys_sqlite
