// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json_scan.hpp"
#include "text_lines.hpp"
#include "workload_rows.hpp"

namespace ridge::plan::serve {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

// Members have the same names in every row, so each name is looked up once.
class known_members {
 public:
  known_members(const workload_columns& given, bool mooncake) : given_(given), mooncake_(mooncake) {}
  known_field of(std::string_view key) {
    for (const auto& [name, field] : known_) {
      if (name == key) return field;
    }
    known_.emplace_back(std::string(key), field_named(key, given_, mooncake_));
    return known_.back().second;
  }

 private:
  const workload_columns& given_;
  bool mooncake_;
  std::vector<std::pair<std::string, known_field>> known_{};
};

void take_object(std::string_view line, known_members& known, workload_rows& rows) {
  json_members m(line);
  while (m.next()) {
    const auto field = known.of(m.key());
    if (field.field == row_field::unknown || m.value() == "null") continue;
    const auto column = static_cast<std::size_t>(m.value().data() - line.data()) + 1;
    rows.take(field, m.key(), json_unquoted(m.value()), column);
  }
  if (m.failed()) rows.refuse("this is not a JSON object", m.offset() + 1);
}

void take_aiperf(std::string_view line, workload_rows& rows) {
  const auto metadata = json_member(line, "metadata"), metrics = json_member(line, "metrics");
  if (!metadata || !metrics) return rows.refuse("no record of aiperf: metadata or metrics is missing", 1);
  const auto take = [&](row_field field, std::string_view name, std::string_view value, double unit) {
    rows.take({field, unit}, name, value, static_cast<std::size_t>(value.data() - line.data()) + 1);
  };
  if (const auto start = json_member(*metadata, "request_start_ns"))
    take(row_field::arrival, "request_start_ns", *start, 1);
  for (const auto& [what, name] : {std::pair(row_field::prompt, "input_sequence_length"),
                                   std::pair(row_field::output, "output_sequence_length")}) {
    const auto metric = json_member(*metrics, name);
    if (const auto value = metric ? json_member(*metric, "value") : std::nullopt) take(what, name, *value, 0);
  }
  if (const auto session = json_member(*metadata, "conversation_id"))
    take(row_field::session, "conversation_id", json_unquoted(*session), 0);
}

}  // namespace

result<void> read_json_rows(std::string_view text, const workload_file_options& options,
                            workload_rows& rows) {
  known_members known(options.columns, options.format == workload_format::mooncake);
  text_lines lines(text);
  while (lines.next()) {
    if (is_blank(lines.line())) continue;
    rows.begin(lines.number());
    take_object(lines.line(), known, rows);
    if (!rows.end()) return rows.why();
  }
  return {};
}

result<void> read_aiperf_rows(std::string_view text, workload_rows& rows) {
  text_lines lines(text);
  std::int64_t failed = 0, warm_up = 0;
  while (lines.next()) {
    const auto line = lines.line();
    if (is_blank(line)) continue;
    // Failed requests belong to the log but have no lengths; warm-up requests do not belong to it.
    if (const auto e = json_member(line, "error"); e && *e != "null" && ++failed > 0) continue;
    const auto metadata = json_member(line, "metadata");
    const auto phase = metadata ? json_member(*metadata, "benchmark_phase") : std::nullopt;
    if (phase && json_unquoted(*phase) == "warmup" && ++warm_up > 0) continue;
    rows.begin(lines.number());
    take_aiperf(line, rows);
    if (!rows.end()) return rows.why();
  }
  if (failed > 0) rows.note(fmt::format("{} requests that failed are left out", failed));
  if (warm_up > 0) rows.note(fmt::format("{} requests of the warm-up are left out", warm_up));
  return {};
}

}  // namespace ridge::plan::serve
