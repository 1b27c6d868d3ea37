// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "csv_records.hpp"
#include "ncu_table.hpp"

namespace ridge::backends::trace_ncu_csv {

// The factory that an application names.
const trace::importer& ncu_csv();

namespace {

std::string all_of(trace::byte_source& source, const trace::read_limits& limits,
                   trace::input_quality& quality) {
  const auto most = std::min(limits.content_bytes, limits.memory_bytes / 4);
  std::string text;
  std::array<char, 65536> block{};
  for (auto n = source.read(block); n > 0; n = source.read(block)) {
    text.append(block.data(), n);
    if (text.size() <= most) continue;
    quality.add(trace::flaw::over_limit, most, "a table larger than the limit of memory");
    break;
  }
  if (const auto why = source.ended_early()) quality.add(trace::flaw::truncated, text.size(), why->message);
  return text;
}

// A line of the program's own output that begins with a quote looks like a record, so a record that is not a
// row is read again from its next line. A quote that the last rows do not close shows where the text was cut.
void read_rows(std::string_view text, ncu_table& table, trace::input_quality& quality) {
  constexpr std::string_view other = "a quoted line that is no row of the table";
  csv_records records(text);
  bool open = false;  // a row may have been cut at open_offset
  std::uint64_t open_offset = 0;
  for (auto record = records.next(); record; record = records.next()) {
    const auto header = record->ended && is_header(*record);
    if (header) table.begin(*record);
    if (header || (record->ended && table.columns() > 0 && table.add(*record))) {
      if (open) quality.add(trace::flaw::unreadable_event, open_offset, other);
      open = false;
      continue;
    }
    const auto cut = !record->ended || text.find('\n', record->offset) == std::string_view::npos;
    if (cut && !open) {
      open = true;
      open_offset = record->offset;
    }
    if (!cut && table.columns() > 0) quality.add(trace::flaw::unreadable_event, record->offset, other);
    records.resume_below_first_line();
  }
  if (open) quality.add(trace::flaw::truncated, open_offset, "the last row is not complete");
}

class ncu_csv_importer final : public trace::importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "ncu_csv"; }

  [[nodiscard]] bool recognises(std::string_view head) const override {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (head.starts_with(mark)) head.remove_prefix(mark.size());
    if (head.starts_with("==PROF==") || head.starts_with("\"ID\",\"")) return true;
    return head.find("\n\"ID\",\"") != std::string_view::npos;
  }

  [[nodiscard]] result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                                          const trace::read_limits& limits) const override {
    trace::trace_builder builder;
    auto& facts = builder.facts();
    facts.source = std::move(origin);
    facts.source.format = format();
    facts.source.producer = "Nsight Compute";
    const auto text = all_of(source, limits, facts.quality);
    facts.source.content_bytes = text.size();
    ncu_table table(builder);
    read_rows(text, table, facts.quality);
    if (table.columns() == 0) {
      return error{
          .message = facts.source.path + ": no table of Nsight Compute in it (no line starts with \"ID\")",
          .remedy = "make one with: ncu --csv --page raw --import REPORT.ncu-rep > table.csv"};
    }
    return std::move(builder).finish();
  }
};

}  // namespace

const trace::importer& ncu_csv() {
  static const ncu_csv_importer one;
  return one;
}

}  // namespace ridge::backends::trace_ncu_csv
