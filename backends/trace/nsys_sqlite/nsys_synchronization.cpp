// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

trace::track_id track_of(nsys_reading& reading, const table_rows& row, int pid, std::int32_t device,
                         std::int32_t stream) {
  const auto process = reading.launching_process(row.whole(pid));
  if (stream >= 0) return reading.stream_of(process, device, stream);
  return reading.builder.track_of(trace::track_kind::device,
                                  process == trace::none ? reading.builder.process(0) : process, 0, device);
}

record_calls read_recordings(nsys_reading& reading) {
  record_calls all;
  auto rows = reading.file.rows(
      recorded, {"timestamp", "deviceId", "streamId", "correlationId", "globalPid", "eventSyncId"});
  while (reading.next(rows, recorded)) {
    const auto stream = stream_in(rows, 2);
    const auto correlation = narrow(rows.whole_or(3, 0));
    if (const auto id = rows.whole(5)) all[{rows.whole_or(4, 0), *id}] = {stream, correlation};
    reading.builder.add(
        {.start_ns = rows.whole_or(0, 0),
         .name = reading.builder.intern("cudaEventRecord"),
         .track = track_of(reading, rows, 4, static_cast<std::int32_t>(rows.whole_or(1, 0)), stream),
         .correlation = correlation,
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
  auto rows = reading.file.rows(waited, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid",
                                         "syncType", "eventId", "eventSyncId"});
  while (reading.next(rows, waited)) {
    const auto start = rows.whole_or(0, 0);
    const auto as = waiting_of(rows.whole_or(6, 0));
    trace::sync_detail detail{.kind = as.kind,
                              .device = static_cast<std::int32_t>(rows.whole_or(2, 0)),
                              .stream = stream_in(rows, 3),
                              .event = narrow(rows.whole_or(7, 0))};
    const auto at = recordings.find({rows.whole_or(5, 0), rows.whole_or(8, -1)});
    if (at != recordings.end()) {
      detail.wait_on_stream = at->second.stream;
      detail.wait_on_correlation = at->second.correlation;
    }
    reading.builder.add({.start_ns = start,
                         .duration_ns = std::max<trace::nanoseconds>(rows.whole_or(1, start) - start, 0),
                         .name = reading.builder.intern(as.name),
                         .track = track_of(reading, rows, 5, detail.device, detail.stream),
                         .correlation = narrow(rows.whole_or(4, 0)),
                         .kind = category::synchronization},
                        detail);
  }
}

}  // namespace ridge::backends::trace_nsys_sqlite
