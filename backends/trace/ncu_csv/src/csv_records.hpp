// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::backends::trace_ncu_csv {

struct csv_record {
  std::uint64_t offset = 0;  // offset of its first byte
  std::vector<std::string> fields{};
  bool ended = true;  // false: the text ends within a quoted field
};

// The records of a text that has other lines between them. A record begins at the start of a line with a
// quote. Quoted fields may hold commas, doubled quotes and new lines.
class csv_records {
 public:
  explicit csv_records(std::string_view text) : text_(text) {}
  // Returns the next record; nullopt at the end.
  [[nodiscard]] std::optional<csv_record> next();
  // Continues with the line after the one at that offset.
  void resume_below(std::uint64_t offset);

 private:
  bool to_record();
  std::string field();

  std::string_view text_;
  std::size_t at_ = 0;
  bool ended_ = true;
};

}  // namespace ridge::backends::trace_ncu_csv
