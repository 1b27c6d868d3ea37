// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

// Whether a quoted cell may hold line ends. Where it may not, a quote that is never closed costs its own line
// alone.
enum class csv_cells { over_lines, within_a_line };

// Reads a text of comma-separated values record by record (RFC 4180): cells may be quoted, two quotes within
// a quoted cell, and only there, stand for one, lines end in "\n" or "\r\n". Empty lines and byte-order marks
// at a record's start are left out; so is what stands between a closing quote and the next comma. Holds a
// view of the text and copies none of it.
class csv_reader {
 public:
  // Starts at the first row of `text`, which must outlive the reader; `cells` says where a quoted cell ends.
  explicit csv_reader(std::string_view text, csv_cells cells = csv_cells::over_lines)
      : text_(text), within_a_line_(cells == csv_cells::within_a_line) {}

  // Goes to the next record; false at the end of the text.
  [[nodiscard]] bool next();
  // Goes to the next record that begins with a quote, over all lines that do not; false at the end.
  [[nodiscard]] bool next_quoted();
  // Goes back to the line below the first line of this record, which may have taken several.
  void resume_below_first_line();

  // Number of cells of this record, at least 1 after `next`.
  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  // A cell as it stands in the text, without its outer quotes; doubled quotes stay doubled.
  [[nodiscard]] std::string_view cell(std::size_t index) const { return cells_[index].text; }
  // A cell as its writer meant it: doubled quotes of a quoted cell are made single; a cell without quotes
  // around it is unchanged. Reads the cell once.
  [[nodiscard]] std::string value(std::size_t index) const;

  // Byte offset of this record in the text.
  [[nodiscard]] std::size_t offset() const { return offset_; }
  // Number of the line on which this record begins, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }
  // Byte of the record at which a cell begins, from 1; its quote counts.
  [[nodiscard]] std::size_t column(std::size_t index) const { return cells_[index].begin - offset_ + 1; }
  // The byte behind the last one of the record's last cell, from 1.
  [[nodiscard]] std::size_t end_column() const;
  // False: the text, or the line where cells stay within one, ends inside a quoted cell.
  [[nodiscard]] bool closed() const { return closed_; }
  // False: text other than spaces stood between a closing quote of this record and the next comma, and was
  // left out.
  [[nodiscard]] bool whole() const { return whole_; }

 private:
  struct cell_of_text {
    std::size_t begin = 0;
    std::string_view text{};
    bool quoted = false;
  };
  bool to_line_with_text();
  void skip_line();
  void take_cells();
  void take_plain_cell();
  void take_quoted_cell();
  void take_text(std::size_t begin, std::size_t text_begin, bool quoted);

  std::string_view text_;
  bool within_a_line_;
  std::vector<cell_of_text> cells_{};
  std::size_t next_ = 0, offset_ = 0;
  std::int64_t next_line_ = 1, line_ = 0;
  bool closed_ = true, whole_ = true;
};

}  // namespace ridge
