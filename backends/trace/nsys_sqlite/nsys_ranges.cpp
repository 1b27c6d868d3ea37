// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;

constexpr auto nvtx = "NVTX_EVENTS";
enum event_type : std::int64_t { mark = 34, push_pop = 59, start_end = 60, domain_created = 75 };
enum range_column : int {
  start_of_range,
  end_of_range,
  range_type,
  range_text,
  range_text_id,
  range_thread,
  range_domain
};

table_rows nvtx_rows(const nsys_reading& reading) {
  return reading.file.rows(nvtx, {"start", "end", "eventType", "text", "textId", "globalTid", "domainId"});
}

std::string_view text_of(const nsys_reading& reading, const table_rows& row) {
  return row.is_text(range_text) ? row.text(range_text) : reading.names.text_in(row, range_text_id);
}

// What a first pass finds: domains' names by process and domain, and the end of the last range.
struct nvtx_facts {
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> domains{};
  trace::nanoseconds last_ns = 0;
};

std::pair<std::int64_t, std::int64_t> domain_key(const table_rows& row) {
  return {row.whole_or(range_thread, 0) >> 24, row.whole_or(range_domain, 0)};
}

nvtx_facts facts_of(const nsys_reading& reading) {
  nvtx_facts facts;
  auto rows = nvtx_rows(reading);
  while (rows.next()) {
    facts.last_ns =
        std::max({facts.last_ns, rows.whole_or(start_of_range, 0), rows.whole_or(end_of_range, 0)});
    if (rows.whole_or(range_type, 0) == domain_created)
      facts.domains.insert_or_assign(domain_key(rows), text_of(reading, rows));
  }
  return facts;
}

// torch.autograd.profiler.emit_nvtx writes "aten::view, seq = 3, op_id = 314290, sizes = [[2, 3]]".
struct framework_op {
  std::string_view name{};
  std::int64_t sequence = -1;
  std::string_view sizes{};
};

std::string_view behind(std::string_view whole, std::string_view key) {
  const auto at = whole.find(key);
  return at == std::string_view::npos ? std::string_view{} : whole.substr(at + key.size());
}

std::optional<framework_op> op_in(std::string_view label) {
  const auto at = std::min(label.find(", seq = "), label.find(", op_id = "));
  if (at == std::string_view::npos) return std::nullopt;
  framework_op op{.name = label.substr(0, at)};
  const auto sequence = behind(label, ", seq = ");
  std::from_chars(sequence.data(), sequence.data() + sequence.size(), op.sequence);
  const auto sizes = behind(label, "sizes = ");
  op.sizes = sizes.substr(0, sizes.rfind(']') + 1);
  return op;
}

void add_range(nsys_reading& reading, const trace::event_row& event, std::string_view label,
               std::string_view domain_name) {
  auto row = event;
  const auto op = domain_name.empty() ? op_in(label) : std::nullopt;
  if (op && event.kind == category::annotation) {
    row.kind = category::op;
    row.name = reading.builder.intern(op->name);
    return reading.builder.add(
        row, trace::op_detail{.sequence = op->sequence, .input_dims = reading.builder.intern(op->sizes)});
  }
  row.name = reading.builder.intern(domain_name.empty() ? std::string(label)
                                                        : fmt::format("{}:{}", domain_name, label));
  reading.builder.add(row);
}

// Start/end ranges may cross each other and threads, so they do not nest on the thread's own track.
trace::event_row event_of(nsys_reading& reading, const table_rows& row, trace::nanoseconds last_ns) {
  const auto kind = row.whole_or(range_type, 0);
  const auto begin = row.whole_or(start_of_range, 0);
  const auto on = kind == start_end ? trace::track_kind::other : trace::track_kind::thread;
  trace::event_row event{
      .start_ns = begin,
      .duration_ns = std::max<trace::nanoseconds>(row.whole_or(end_of_range, last_ns) - begin, 0),
      .track = reading.thread_of(row.whole_or(range_thread, 0), on),
      .kind = category::annotation};
  if (kind == mark) {
    event.kind = category::mark;
    event.duration_ns = 0;
    event.flags = trace::flag_instant;
  } else if (!row.whole(end_of_range)) {
    reading.note(trace::flaw::unmatched_begin, fmt::format("NVTX range {}", text_of(reading, row)));
  }
  return event;
}

}  // namespace

void read_ranges(nsys_reading& reading) {
  const auto facts = facts_of(reading);
  auto rows = nvtx_rows(reading);
  while (reading.next(rows, nvtx)) {
    const auto kind = rows.whole_or(range_type, 0);
    if (kind != mark && kind != push_pop && kind != start_end) continue;
    const auto at = facts.domains.find(domain_key(rows));
    add_range(reading, event_of(reading, rows, facts.last_ns), text_of(reading, rows),
              at == facts.domains.end() ? std::string_view{} : std::string_view(at->second));
  }
}

}  // namespace ridge::backends::trace_nsys_sqlite
