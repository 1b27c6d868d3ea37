// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/table.hpp>

#include <algorithm>
#include <numeric>
#include <string_view>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

#include "cut_text.hpp"
#include "harmless.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t column_gap = 2;
constexpr std::size_t most_last = 19;    // DIFFERENT_BUT_SMALL on one line
constexpr std::size_t least_first = 10;  // what is left of a cut name

void end_line(std::string& out) {
  while (out.ends_with(' ')) out.pop_back();
  out += '\n';
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const auto word : split(text, ' ')) longest = std::max(longest, display_width(word));
  return longest;
}

// Returns the width of a line with these columns.
std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t all = 0, shown = 0;
  for (const auto w : widths) all += w, shown += w > 0;
  return all + (shown > 1 ? (shown - 1) * column_gap : 0);
}

}  // namespace

void table::row(std::vector<cell> cells) {
  expects(cells.size() == columns_.size(), "table: a row has one cell for each column");
  for (auto& c : cells) c.text = harmless(std::move(c.text));
  lines_.push_back({.cells = std::move(cells)});
}

void table::note(std::string text, std::size_t indent) {
  lines_.push_back({.note = harmless(std::move(text)), .indent = indent});
}

void table::heading(std::string text) {
  has_headings_ = true;
  lines_.push_back({.note = harmless(std::move(text)), .is_heading = true});
}

std::vector<std::size_t> table::widths(const layout& layout) const {
  std::vector<std::size_t> widest(columns_.size());
  for (const auto& l : lines_) {
    for (std::size_t c = 0; c < l.cells.size(); ++c)
      widest[c] = std::max(widest[c], display_width(l.cells[c].text));
  }
  for (std::size_t c = 0; c < widest.size(); ++c) {
    if (widest[c] > 0) widest[c] = std::max(widest[c], display_width(columns_[c].header));
  }
  const auto room = layout.columns > layout.indent ? layout.columns - layout.indent : 0;
  const auto give_up = [&](std::size_t& width, std::size_t least) {
    const auto all = total(widest);
    if (all > room && width > least) width = std::max(least, width - std::min(width, all - room));
  };
  if (!widest.empty()) {
    std::size_t word = display_width(columns_.back().header);
    for (const auto& l : lines_) {
      if (!l.cells.empty()) word = std::max(word, longest_word(l.cells.back().text));
    }
    give_up(widest.back(), std::min(word, most_last));
    give_up(widest.front(), least_first);
  }
  return widest;
}

void table::append_row(std::string& out, const std::vector<cell>& cells,
                       const std::vector<std::size_t>& widths, const layout& layout) const {
  std::size_t used = layout.indent;
  out.append(layout.indent, ' ');
  bool first = true;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (widths[c] == 0) continue;
    if (!first) out.append(column_gap, ' '), used += column_gap;
    first = false;
    const bool last = c + 1 == cells.size();
    const auto words = last ? wrap(cells[c].text, widths[c]) : cut_text(cells[c].text, widths[c]);
    const auto parts = split(words, '\n');
    const auto pad = std::string(widths[c] - std::min(widths[c], display_width(parts[0])), ' ');
    const bool right = columns_[c].align == align::right;
    out += (right ? pad : "") + paint(parts[0], cells[c].emphasis, layout.color) + (right ? "" : pad);
    for (std::size_t p = 1; p < parts.size(); ++p) {
      end_line(out);
      out += std::string(used, ' ') + paint(parts[p], cells[c].emphasis, layout.color);
    }
    used += widths[c];
  }
  end_line(out);
}

std::string table::text(const layout& layout) const {
  auto inner = layout;
  inner.indent += has_headings_ ? 2 : 0;
  const auto width = widths(inner);
  std::string out;
  std::vector<cell> headers;
  for (const auto& c : columns_) headers.emplace_back(c.header, tone::dim);
  if (std::ranges::any_of(columns_, [](const column& c) { return !c.header.empty(); }))
    append_row(out, headers, width, inner);
  for (const auto& l : lines_) {
    if (!l.cells.empty()) {
      append_row(out, l.cells, width, inner);
      continue;
    }
    const auto indent = l.is_heading ? layout.indent : inner.indent + l.indent;
    const auto words = wrap(l.note, layout.columns > indent ? layout.columns - indent : 1);
    for (const auto part : split(words, '\n'))
      out +=
          std::string(indent, ' ') + paint(part, l.is_heading ? tone::plain : tone::dim, layout.color) + '\n';
  }
  return out;
}

}  // namespace ridge::report
