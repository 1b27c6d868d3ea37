// SPDX-License-Identifier: Apache-2.0
#include "text_table.hpp"

#include <algorithm>

#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_elastic = 16;

std::string without_trailing_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

std::vector<std::size_t> text_table::widths(std::size_t columns) const {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = display_width(columns_[c].header);
    for (const auto& row : rows_) {
      if (c < row.size()) width = std::max(width, display_width(row[c].text));
    }
    found.push_back(width);
  }
  const auto elastic = std::ranges::find_if(columns_, &table_column::elastic);
  if (elastic == columns_.end()) return found;
  auto& flexible = found[static_cast<std::size_t>(elastic - columns_.begin())];
  std::size_t fixed = 0;
  for (const auto width : found) fixed += width + gap;
  fixed -= flexible + gap;
  flexible = std::min(flexible, std::max(least_elastic, columns > fixed ? columns - fixed : 0));
  return found;
}

std::string text_table::line(const terminal& on, const std::vector<table_cell>& row,
                             const std::vector<std::size_t>& widths, std::size_t indent) const {
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 1;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto text = columns_[c].elastic ? wrap(row[c].text, widths[c]) : row[c].text;
    auto& lines = parts.emplace_back();
    for (const auto piece : split(text, '\n')) lines.emplace_back(piece);
    height = std::max(height, lines.size());
  }
  std::string all;
  for (std::size_t y = 0; y < height; ++y) {
    std::string one(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string piece = y < parts[c].size() ? parts[c][y] : "";
      const std::size_t room = widths[c] - std::min(widths[c], display_width(piece));
      const std::string spaces(room, ' ');
      const auto painted = paint(on, row[c].look, piece);
      one += columns_[c].right ? spaces + painted : painted + spaces;
      if (c + 1 < row.size()) one.append(gap, ' ');
    }
    all += without_trailing_spaces(std::move(one)) + '\n';
  }
  return all;
}

std::string text_table::render(const terminal& on, std::size_t indent) const {
  const auto wide = widths(on.columns - std::min(on.columns, indent));
  std::string text;
  if (std::ranges::any_of(columns_, [](const auto& c) { return !c.header.empty(); })) {
    std::vector<table_cell> headers;
    for (const auto& column : columns_) headers.push_back({column.header, style::dim});
    text += line(on, headers, wide, indent);
  }
  for (const auto& row : rows_) text += line(on, row, wide, indent);
  return text;
}

}  // namespace ridge::app
