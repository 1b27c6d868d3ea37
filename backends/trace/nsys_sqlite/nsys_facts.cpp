// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

void read_devices(nsys_reading& reading) {
  auto rows = reading.file.rows(
      "TARGET_INFO_GPU",
      {"id", "name", "totalMemory", "smCount", "computeMajor", "computeMinor", "threadsPerWarp",
       "maxWarpsPerSm", "maxShmemPerSm", "maxRegistersPerSm", "memoryBandwidth", "clockRate"});
  const auto number = [&](int column) { return static_cast<int>(rows.whole_or(column, 0)); };
  while (rows.next()) {
    reading.builder.facts().devices.push_back(
        {.id = number(0),
         .name = std::string(reading.names.text_in(rows, 1)),
         .memory_bytes = rows.whole_or(2, 0),
         .sms = number(3),
         .compute_major = number(4),
         .compute_minor = number(5),
         .warp_size = number(6),
         .threads_per_sm = number(6) * number(7),
         .shared_bytes_per_sm = number(8),
         .registers_per_sm = number(9),
         .memory_bytes_per_s = static_cast<double>(rows.whole_or(10, 0)),
         .clock_hz = static_cast<double>(rows.whole_or(11, 0))});
  }
}

void name_processes(nsys_reading& reading) {
  auto rows = reading.file.rows("PROCESSES", {"pid", "name"});
  while (rows.next()) {
    for (auto& p : reading.builder.facts().processes) {
      if (p.id == rows.whole_or(0, -1)) p.name = reading.names.text_in(rows, 1);
    }
  }
}

void name_threads(nsys_reading& reading) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;
  auto rows = reading.file.rows("ThreadNames", {"nameId", "globalTid"});
  while (rows.next()) {
    const auto id = rows.whole_or(1, 0);
    names.try_emplace({id >> 24 & 0xffffff, id & 0xffffff}, reading.names.text_in(rows, 0));
  }
  auto& facts = reading.builder.facts();
  for (auto& t : facts.tracks) {
    if (t.kind != trace::track_kind::thread) continue;
    if (const auto at = names.find({facts.processes[t.process].id, t.thread}); at != names.end())
      t.name = at->second;
  }
}

// Event times count from the session's start, or are on the system's clock where the export records it.
void read_clock(nsys_reading& reading) {
  auto rows = reading.file.rows("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs", "systemClockNs"});
  if (rows.next() && rows.whole(0)) reading.builder.facts().epoch_ns = *rows.whole(0) - rows.whole_or(1, 0);
}

std::string setting(const nsys_reading& reading, std::string_view table, std::string_view name) {
  auto rows = reading.file.rows(table, {"name", "value"});
  while (rows.next()) {
    if (rows.text(0) == name) return std::string(rows.text(1));
  }
  return {};
}

bool tells_of_loss(std::string_view text) {
  return contains_ignoring_case(text, "dropped") || contains_ignoring_case(text, " lost") ||
         contains_ignoring_case(text, "not collected");
}

void read_diagnostics(nsys_reading& reading) {
  auto rows = reading.file.rows("DIAGNOSTIC_EVENT", {"text"});
  while (rows.next()) {
    const auto text = reading.names.text_in(rows, 0);
    if (tells_of_loss(text)) reading.note(trace::flaw::dropped_records, text);
  }
}

}  // namespace

void read_facts(nsys_reading& reading) {
  read_devices(reading);
  name_processes(reading);
  name_threads(reading);
  read_clock(reading);
  read_diagnostics(reading);
  auto& source = reading.builder.facts().source;
  source.producer =
      fmt::format("Nsight Systems {}", setting(reading, "META_DATA_EXPORT", "EXPORT_PRODUCT_VERSION"));
  source.host = setting(reading, "TARGET_INFO_SYSTEM_ENV", "Hostname");
}

}  // namespace ridge::backends::trace_nsys_sqlite
