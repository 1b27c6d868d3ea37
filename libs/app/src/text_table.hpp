// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace ridge::app {

struct table_column {
  std::string header{};
  bool right = false;    // numbers
  bool elastic = false;  // takes what is left of the line and wraps; one column at most
};

struct table_cell {
  std::string text{};
  style look{style::plain};
};

// Columns two spaces apart under dim headers, no wider than the terminal. Rows may be shorter than the
// header; without any header text the header line is left out.
class text_table {
 public:
  explicit text_table(std::vector<table_column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<table_cell> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string render(const terminal& on, std::size_t indent = 0) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t columns) const;
  [[nodiscard]] std::string line(const terminal& on, const std::vector<table_cell>& row,
                                 const std::vector<std::size_t>& widths, std::size_t indent) const;
  std::vector<table_column> columns_;
  std::vector<std::vector<table_cell>> rows_{};
};

}  // namespace ridge::app
