// SPDX-License-Identifier: Apache-2.0
#include "table_file.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/csv_reader.hpp>
#include <ridge/plan/packed_file.hpp>

namespace ridge::plan::kernels {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 28;

error broken(const std::string& name, const std::string& why) {
  return {name + ": " + why, "fetch the file again; tables are CSV, gzipped or plain"};
}

}  // namespace

result<table_file> table_file::read(const std::filesystem::path& file) {
  auto text = packed_file(file, most_bytes);
  if (!text) return text.why();
  return parse(std::move(*text), file.string());
}

result<table_file> table_file::parse(std::string text, const std::string& name) {
  table_file t;
  t.text_ = std::move(text);
  t.name_ = name;
  if (const auto bad = t.split(); !bad) return bad.why();
  return t;
}

result<void> table_file::split() {
  csv_reader reader(text_);
  while (reader.next()) {
    if (columns_ == 0) columns_ = reader.size();
    if (reader.size() != columns_)
      return broken(name_, fmt::format("line {}: {} cells where the header has {}", reader.line(),
                                       reader.size(), columns_));
    if (!reader.whole())
      return broken(name_, fmt::format("line {}: text behind a closing quote", reader.line()));
    lines_.push_back(reader.line());
    for (std::size_t i = 0; i < columns_; ++i) {
      const auto text = reader.cell(i);
      cells_.push_back(
          {static_cast<std::uint32_t>(text.data() - text_.data()), static_cast<std::uint32_t>(text.size())});
    }
  }
  if (!reader.closed())
    return broken(name_, fmt::format("line {}: a quoted cell is not closed", reader.line()));
  if (columns_ == 0) return broken(name_, "empty");
  return {};
}

std::string_view table_file::cell(std::size_t row, std::size_t column) const {
  const auto& c = cells_[row * columns_ + column];
  return std::string_view(text_).substr(c.begin, c.length);
}

std::size_t table_file::place_of(std::string_view column) const {
  std::size_t at = 0;
  while (at < columns_ && cell(0, at) != column) ++at;
  return at;
}

result<std::vector<std::string_view>> table_file::texts(std::string_view column) const {
  const auto at = place_of(column);
  if (at == columns_) return broken(name_, fmt::format("line {}: no column \"{}\"", lines_[0], column));
  std::vector<std::string_view> all(rows());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = cell(r + 1, at);
  return all;
}

result<std::vector<double>> table_file::numbers(std::string_view column) const {
  const auto cells = texts(column);
  if (!cells) return cells.why();
  std::vector<double> all(cells->size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto text = (*cells)[r];
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), all[r]);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(all[r]))
      return broken(name_, fmt::format("line {}: {}: \"{}\" is not a number", lines_[r + 1], column, text));
  }
  return all;
}

result<std::vector<double>> table_file::numbers(std::string_view column, double least, double most) const {
  auto all = numbers(column);
  if (!all) return all;
  for (std::size_t r = 0; r < all->size(); ++r) {
    const auto value = (*all)[r];
    if (value >= least && value <= most) continue;
    return error{fmt::format("{}: line {}: {}: {:.6g} is not between {:.6g} and {:.6g}", name_, lines_[r + 1],
                             column, value, least, most),
                 "measure it again, or leave the row out"};
  }
  return all;
}

}  // namespace ridge::plan::kernels
