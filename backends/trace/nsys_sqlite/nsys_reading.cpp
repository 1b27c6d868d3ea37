// SPDX-License-Identifier: Apache-2.0
#include "nsys_reading.hpp"

#include <fmt/format.h>

namespace ridge::backends::trace_nsys_sqlite {
namespace {

std::int64_t pid_in(std::int64_t global_id) { return global_id >> 24 & 0xffffff; }

std::optional<std::int64_t> only_calling_process(const nsys_file& file) {
  auto rows = file.rows("CUPTI_ACTIVITY_KIND_RUNTIME", {"globalTid"});
  std::optional<std::int64_t> only;
  while (rows.next()) {
    const auto pid = pid_in(rows.whole_or(0, 0));
    if (only && *only != pid) return std::nullopt;
    only = pid;
  }
  return only;
}

}  // namespace

nsys_reading::nsys_reading(const nsys_file& database, const trace::read_limits& limits)
    : file(database), names(database), rows_left_(limits.memory_bytes / 256) {
  if (!database.has("CUPTI_ACTIVITY_KIND_KERNEL", "globalPid")) only_pid_ = only_calling_process(database);
}

std::uint32_t nsys_reading::process_of(std::int64_t global_id) { return builder.process(pid_in(global_id)); }

trace::track_id nsys_reading::thread_of(std::int64_t global_id, trace::track_kind kind) {
  return builder.track_of(kind, process_of(global_id), global_id & 0xffffff);
}

std::uint32_t nsys_reading::launching_process(std::optional<std::int64_t> global_pid) {
  if (global_pid) return process_of(*global_pid);
  return only_pid_ ? builder.process(*only_pid_) : trace::none;
}

trace::track_id nsys_reading::stream_of(std::uint32_t process, std::int32_t device, std::int64_t stream) {
  return builder.track_of(trace::track_kind::stream, process == trace::none ? builder.process(0) : process,
                          stream, device);
}

void nsys_reading::context_is_on(std::uint32_t process, std::uint32_t context, std::int32_t device) {
  devices_.try_emplace({process, context}, device);
}

std::int32_t nsys_reading::device_of(std::uint32_t process, std::uint32_t context, std::int32_t told) const {
  const auto at = devices_.find({process, context});
  return at == devices_.end() ? told : at->second;
}

bool nsys_reading::next(table_rows& rows, std::string_view table) {
  if (rows.next()) {
    if (rows_left_-- > 0) return true;
    rows_left_ = 0;
    note(trace::flaw::over_limit,
         fmt::format("{}: its last rows would need more memory than allowed", table));
    return false;
  }
  if (rows.damage()) note(trace::flaw::truncated, fmt::format("{}: {}", table, *rows.damage()));
  return false;
}

}  // namespace ridge::backends::trace_nsys_sqlite
