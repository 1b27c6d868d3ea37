// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/csv_reader.hpp>

namespace ridge::backends::trace_ncu_csv {

struct csv_record {
  std::uint64_t offset = 0;  // offset of its first byte
  std::vector<std::string> fields{};
  bool ended = true;  // false: the text ends within a quoted field
};

// The records of a text that has other lines between them. A record begins at the start of a line with a
// quote.
class csv_records {
 public:
  explicit csv_records(std::string_view text) : reader_(text) {}
  // Returns the next record; nullopt at the end.
  [[nodiscard]] std::optional<csv_record> next() {
    if (!reader_.next_quoted()) return std::nullopt;
    csv_record record{.offset = reader_.offset(), .ended = reader_.closed()};
    record.fields.reserve(reader_.size());
    for (std::size_t i = 0; i < reader_.size(); ++i) record.fields.push_back(reader_.value(i));
    return record;
  }
  // Continues with the line below the first one of the last record.
  void resume_below_first_line() { reader_.resume_below_first_line(); }

 private:
  csv_reader reader_;
};

}  // namespace ridge::backends::trace_ncu_csv
