// SPDX-License-Identifier: Apache-2.0
#include "rocpd_process.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

using trace::category;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Categories are names of rocprofiler's kinds: "HIP_RUNTIME_API_EXT", "HSA_CORE_API",
// "MARKER_CORE_RANGE_API".
category kind_of_region(std::string_view name) {
  if (has(name, "MARKER")) return category::annotation;
  return name.starts_with("HIP") || name.starts_with("HSA") ? category::api : category::other;
}

}  // namespace

// The first call of a stack on its thread counts as the launch: a call of HIP precedes those of HSA that it
// makes.
void read_regions(const rocpd_process& process) {
  constexpr auto table = "region";
  auto rows = process.placed_rows(table, {"name_id"});
  while (process.next(rows, table)) {
    const auto row = process.place(rows);
    const auto& info = process.event(row.event);
    const auto name = process.text(rows.whole_or(rocpd_process::first_own, 0));
    auto event = process.event_row(row, kind_of_region(process.text(info.category)),
                                   info.message.empty() ? name : std::string_view(info.message),
                                   process.thread_of(row));
    if (event.kind != category::api) event.correlation = 0;
    process.reading.builder.add(event);
  }
}

// An instant stands in the table of samples; its place is always that of a track.
void read_marks(const rocpd_process& process) {
  constexpr auto table = "sample";
  auto rows = process.placed_rows(table, {"timestamp", "timestamp_id", "name_id"});
  while (process.next(rows, table)) {
    auto row = process.place(rows);
    const auto& info = process.event(row.event);
    const auto category_name = process.text(info.category);
    if (const auto at = rows.whole(rocpd_process::first_own)) row.start = *at;
    if (const auto shared = rows.whole(rocpd_process::first_own + 1)) row.start = process.time(*shared);
    row.end = row.start;
    auto name = std::string_view(info.message);
    if (name.empty()) name = process.text(rows.whole_or(rocpd_process::first_own + 2, 0));
    auto event =
        process.event_row(row, category::mark, name.empty() ? category_name : name, process.thread_of(row));
    event.correlation = 0;
    event.flags = trace::flag_instant;
    process.reading.builder.add(event);
  }
}

}  // namespace ridge::backends::trace_rocpd
