// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/trace/wire_message.hpp>

#include "rocpd_process.hpp"

namespace ridge::backends::trace_rocpd {

// A release tells its address only; its size and device are those of the allocation.
void read_allocations(const rocpd_process& process) {
  struct block {
    std::int64_t bytes = 0;
    std::int32_t device = -1;
  };
  std::unordered_map<std::int64_t, block> live;
  constexpr auto table = "memory_allocate";
  constexpr int own = rocpd_process::first_own;
  auto rows = process.placed_rows(table, {"type", "level", "address", "size"});
  while (process.next(rows, table)) {
    const auto row = process.place(rows);
    if (rows.text(own + 1) != "REAL" || !rows.whole(own + 2) || !trace::is_a_time(row.start)) continue;
    const auto address = *rows.whole(own + 2);
    trace::memory_event event{.time_ns = row.start,
                              .address = static_cast<std::uint64_t>(address),
                              .bytes = std::max<std::int64_t>(rows.whole_or(own + 3, 0), 0),
                              .device = process.gpu(row.agent),
                              .track = process.thread_of(row)};
    if (rows.text(own) == "ALLOC") {
      live.insert_or_assign(address, block{event.bytes, event.device});
    } else {
      const auto was = live.extract(address);
      if (!was) continue;
      event.bytes = -was.mapped().bytes;
      event.device = was.mapped().device;
    }
    if (event.bytes != 0) process.reading.builder.add(event);
  }
}

}  // namespace ridge::backends::trace_rocpd
