// SPDX-License-Identifier: Apache-2.0
#include "rocpd_process.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/trace/wire_message.hpp>

#include "rocpd_extra.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

std::string_view found(const auto& texts, std::int64_t id) {
  const auto at = texts.find(id);
  return at == texts.end() ? std::string_view{} : std::string_view(at->second);
}

std::int64_t mapped(const std::unordered_map<std::int64_t, std::int64_t>& ids, std::int64_t id) {
  const auto at = ids.find(id);
  return at == ids.end() ? id : at->second;
}

}  // namespace

bool rocpd_reading::next(table_rows& rows, std::string_view table) {
  if (rows.next()) {
    if (rows_left > 0) return --rows_left, true;
    note(trace::flaw::over_limit,
         fmt::format("{}: its last rows would need more memory than allowed", table));
    return false;
  }
  if (rows.damage()) note(trace::flaw::truncated, fmt::format("{}: {}", table, *rows.damage()));
  return false;
}

rocpd_process::rocpd_process(rocpd_reading& database, std::string guid)
    : reading(database), guid_(std::move(guid)) {
  read_texts();
  read_events();
  read_agents();
  read_processes();
  read_places();
}

table_rows rocpd_process::rows(std::string_view name, const std::vector<std::string_view>& columns) const {
  return reading.file.rows(fmt::format("rocpd_{}{}", name, guid_), columns);
}

table_rows rocpd_process::placed_rows(std::string_view name, std::vector<std::string_view> own) const {
  std::vector<std::string_view> columns{"start",    "end",       "pid",      "tid",
                                        "agent_id", "stream_id", "queue_id", "event_id",
                                        "track_id", "start_id",  "end_id"};
  columns.insert(columns.end(), own.begin(), own.end());
  return rows(name, columns);
}

bool rocpd_process::next(table_rows& table, std::string_view name) const {
  return reading.next(table, fmt::format("rocpd_{}", name));
}

placed_row rocpd_process::place(const table_rows& row) const {
  placed_row p{.start = row.whole_or(0, 0),
               .end = row.whole_or(1, row.whole_or(0, 0)),
               .process = row.whole_or(2, 0),
               .thread = row.whole_or(3, 0),
               .agent = row.whole(4),
               .stream = row.whole(5),
               .queue = row.whole(6),
               .event = row.whole_or(7, 0)};
  if (const auto at = places_.find(row.whole_or(8, 0)); row.whole(8) && at != places_.end()) {
    const auto& s = at->second;
    p.process = s.process, p.thread = s.thread;
    p.agent = s.agent, p.stream = s.stream, p.queue = s.queue;
  }
  if (row.whole(9)) {
    p.start = time(*row.whole(9));
    p.end = time(row.whole_or(10, *row.whole(9)));
  }
  return p;
}

std::string_view rocpd_process::text(std::int64_t id) const { return found(texts_, id); }

const event_info& rocpd_process::event(std::int64_t id) const {
  static const event_info none;
  const auto at = events_.find(id);
  return at == events_.end() ? none : at->second;
}

std::int64_t rocpd_process::time(std::int64_t id) const {
  const auto at = times_.find(id);
  return at == times_.end() ? trace::most_nanoseconds : at->second;
}

std::int32_t rocpd_process::gpu(std::optional<std::int64_t> agent) const {
  const auto at = agent ? gpus_.find(*agent) : gpus_.end();
  return at == gpus_.end() ? -1 : at->second;
}

std::uint32_t rocpd_process::process(std::int64_t id) const {
  return reading.builder.process(mapped(process_ids_, id));
}

trace::track_id rocpd_process::thread_of(const placed_row& row) const {
  return reading.builder.track_of(trace::track_kind::thread, process(row.process),
                                  mapped(thread_ids_, row.thread));
}

trace::event_row rocpd_process::event_row(const placed_row& row, trace::category kind, std::string_view name,
                                          trace::track_id track) const {
  const bool known = trace::is_a_time(row.start) && trace::is_a_time(row.end);
  if (!known) reading.note(trace::flaw::unreadable_event, name);
  const auto start = known ? row.start : 0, end = known ? row.end : 0;
  if (end < start) reading.note(trace::flaw::negative_duration, name);
  const auto stack = event(row.event).stack;
  return {.start_ns = start,
          .duration_ns = std::max<trace::nanoseconds>(end - start, 0),
          .name = reading.builder.intern(name),
          .track = track,
          .correlation = stack > 0 && stack < std::numeric_limits<std::uint32_t>::max()
                             ? static_cast<std::uint32_t>(stack)
                             : 0,
          .kind = kind};
}

void rocpd_process::read_texts() {
  auto table = rows("string", {"id", "string"});
  while (next(table, "string")) texts_.insert_or_assign(table.whole_or(0, 0), std::string(table.text(1)));
}

void rocpd_process::read_events() {
  auto table = rows("event", {"id", "stack_id", "category_id", "extdata"});
  while (next(table, "event"))
    events_.insert_or_assign(table.whole_or(0, 0), event_info{.stack = table.whole_or(1, 0),
                                                              .category = table.whole_or(2, 0),
                                                              .message = message_in(table.text(3))});
}

// GPUs are numbered by node and place, so that all processes of a node number them alike.
void rocpd_process::read_agents() {
  auto table = rows("info_agent", {"id", "type", "nid", "absolute_index"});
  while (next(table, "info_agent")) {
    if (table.text(1) != "GPU") continue;
    const auto id = table.whole_or(0, 0);
    const auto at = reading.gpus.find({table.whole_or(2, 0), table.whole_or(3, id)});
    if (at != reading.gpus.end()) gpus_.insert_or_assign(id, at->second);
  }
}

void rocpd_process::read_processes() {
  auto processes = rows("info_process", {"id", "pid"});
  while (next(processes, "info_process"))
    process_ids_.insert_or_assign(processes.whole_or(0, 0), processes.whole_or(1, 0));
  auto threads = rows("info_thread", {"id", "tid"});
  while (next(threads, "info_thread"))
    thread_ids_.insert_or_assign(threads.whole_or(0, 0), threads.whole_or(1, 0));
}

void rocpd_process::read_places() {
  auto tracks = rows("track", {"id", "pid", "tid", "agent_id", "stream_id", "queue_id"});
  while (next(tracks, "track"))
    places_.insert_or_assign(tracks.whole_or(0, 0), shared_place{.process = tracks.whole_or(1, 0),
                                                                 .thread = tracks.whole_or(2, 0),
                                                                 .agent = tracks.whole(3),
                                                                 .stream = tracks.whole(4),
                                                                 .queue = tracks.whole(5)});
  auto times = rows("timestamp", {"id", "value"});
  while (next(times, "timestamp")) times_.insert_or_assign(times.whole_or(0, 0), times.whole_or(1, 0));
}

}  // namespace ridge::backends::trace_rocpd
