// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// What no measured kernel exceeds; beyond lies a slip of units or of columns.
constexpr double most_tokens = 1 << 20, most_microseconds = 1e9;

// A CSV file with a header line, gzipped or plain, read as a whole; cells are views into it, in which doubled
// quotes stay doubled. The error names file and line of a broken stream or a row with too few
// cells.
class table_file {
 public:
  [[nodiscard]] static result<table_file> read(const std::filesystem::path& file);
  [[nodiscard]] static result<table_file> parse(std::string text, const std::string& name);

  [[nodiscard]] std::size_t rows() const { return columns_ == 0 ? 0 : cells_.size() / columns_ - 1; }
  [[nodiscard]] bool has(std::string_view column) const { return place_of(column) < columns_; }
  // The cells of a column by name; the error names the file, the line of its header and the column.
  [[nodiscard]] result<std::vector<std::string_view>> texts(std::string_view column) const;
  // The numbers of a column; the error names file, line and column of the first cell that is not a finite
  // number; the line is the one on which its row begins, whatever line ends its quoted cells hold.
  [[nodiscard]] result<std::vector<double>> numbers(std::string_view column) const;
  // As numbers(), where each must lie between least and most; the error names file, line and column of the
  // first that does not.
  [[nodiscard]] result<std::vector<double>> numbers(std::string_view column, double least, double most) const;

 private:
  struct span_of_text {
    std::uint32_t begin = 0, length = 0;
  };
  [[nodiscard]] std::size_t place_of(std::string_view column) const;
  [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const;
  result<void> split();

  std::string text_{}, name_{};
  std::vector<span_of_text> cells_{};
  std::vector<std::int64_t> lines_{};  // on which each record begins, the header first
  std::size_t columns_ = 0;
};

}  // namespace ridge::plan::kernels
