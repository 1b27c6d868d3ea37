// SPDX-License-Identifier: Apache-2.0
#include "view/draw_table.hpp"

#include <algorithm>
#include <numeric>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

constexpr std::size_t gap = 2, sign_columns = 3, widest_cell = 44, least_cut = 10;

// A table while it is laid out: texts are made once for each row on the screen.
struct plan {
  std::vector<std::size_t> fields{};  // shown ones, the first one first
  std::vector<std::size_t> widths{};  // by field
  std::string shared{};               // "machine a · backend cpu"
};

std::string harmless_cell(const report::sheet& sheet, const report::row& row, std::size_t field) {
  return one_line(cell_text(sheet, row, field));
}

std::size_t width_of(const report::sheet& sheet, const std::vector<std::size_t>& rows, std::size_t field) {
  constexpr std::size_t most_measured = 2000;  // a long table is as wide as its first rows
  std::size_t width = display_width(sheet.fields[field].header) + 1;
  for (std::size_t i = 0; i < std::min(rows.size(), most_measured); ++i)
    width = std::max(width, display_width(harmless_cell(sheet, sheet.rows[rows[i]], field)));
  return std::min(width, std::max(widest_cell, display_width(sheet.fields[field].header) + 1));
}

bool is_the_same_everywhere(const report::sheet& sheet, std::size_t field) {
  return std::ranges::all_of(sheet.rows, [&](const report::row& r) {
    return r.values.at(field) == sheet.rows.front().values.at(field);
  });
}

std::size_t columns_of(const plan& p) {
  std::size_t all = sign_columns;
  for (const auto field : p.fields) all += p.widths[field] + gap;
  return all;
}

plan plan_of(const report::sheet& sheet, const std::vector<std::size_t>& rows, std::size_t columns) {
  plan p;
  p.widths.resize(sheet.fields.size());
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    if (sheet.fields[i].header.empty()) continue;
    const bool empty = std::ranges::all_of(sheet.rows, [&](const report::row& r) {
      return report::shown(r.values.at(i), sheet.fields[i].unit).empty();
    });
    if (empty && !sheet.rows.empty()) continue;
    p.fields.push_back(i);
    p.widths[i] = width_of(sheet, rows, i);
  }
  constexpr std::size_t least_rows = 2;
  if (columns_of(p) <= columns + gap || sheet.rows.size() < least_rows) return p;
  std::vector<std::size_t> kept;
  for (const auto field : p.fields) {
    if (!is_the_same_everywhere(sheet, field)) {
      kept.push_back(field);
      continue;
    }
    p.shared += (p.shared.empty() ? "" : " · ") + sheet.fields[field].header + ' ' +
                harmless_cell(sheet, sheet.rows.front(), field);
  }
  if (kept.empty()) return p;
  p.fields = std::move(kept);
  return p;
}

void keep_inside(table_state& state, std::size_t rows, std::size_t page_rows, std::size_t fields) {
  state.selected = rows == 0 ? 0 : std::min(state.selected, rows - 1);
  state.top = std::min(state.top, state.selected);
  if (state.selected >= state.top + page_rows) state.top = state.selected - page_rows + 1;
  if (rows <= page_rows)
    state.top = 0;
  else
    state.top = std::min(state.top, rows - page_rows);
  state.left = fields < 2 ? 0 : std::min(state.left, fields - 2);
}

// One table being drawn.
class table_drawing final {
 public:
  table_drawing(grid& canvas, const area& room, const report::sheet& sheet, table_state& state,
                const std::set<std::string>& marked)
      : canvas_(canvas), room_(room), sheet_(sheet), state_(state), marked_(marked) {}

  table_picture draw() {
    const auto rows = shown_rows(sheet_, state_);
    plan_ = plan_of(sheet_, rows, room_.columns);
    std::size_t line = room_.row;
    if (!plan_.shared.empty()) write(sign_columns, line++, fitted("all: " + plan_.shared, room_.columns), dim);
    table_picture seen{.shown_rows = rows.size()};
    const auto end = room_.row + room_.rows;
    if (rows.empty()) {
      const auto words = sheet_.rows.empty() ? sheet_.empty : "No row contains \"" + state_.filter + "\"; / Enter shows all.";
      for (const auto text : split(wrap(one_line(words), room_.columns - sign_columns), '\n'))
        write(sign_columns, line++, text, {});
      return seen;
    }
    choose_fields(seen);
    header(line++);
    seen.page_rows = end > line ? end - line : 1;
    keep_inside(state_, rows.size(), seen.page_rows, plan_.fields.size());
    for (auto i = state_.top; i < rows.size() && line < end; ++i, ++line) {
      const auto* const above = i > state_.top ? &sheet_.rows[rows[i - 1]] : nullptr;
      row(line, sheet_.rows[rows[i]], above, i == state_.selected);
    }
    return seen;
  }

 private:
  static constexpr look dim{.tone = report::tone::dim};

  void write(std::size_t column, std::size_t line, std::string_view text, look style) {
    if (line < room_.row + room_.rows)
      canvas_.write(room_.column + column, line, text, style, room_.column + room_.columns);
  }

  // Decides which fields have room, from the first one and those behind the ones scrolled away.
  void choose_fields(table_picture& seen) {
    state_.left = plan_.fields.size() < 2 ? 0 : std::min(state_.left, plan_.fields.size() - 2);
    std::size_t used = sign_columns;
    for (std::size_t i = 0; i < plan_.fields.size(); ++i) {
      if (i > 0 && i <= state_.left) {
        ++seen.hidden_left;
        continue;
      }
      const auto width = plan_.widths[plan_.fields[i]];
      const auto left = room_.columns > used ? room_.columns - used : 0;
      if (width > left && left < least_cut) {
        seen.hidden_right = plan_.fields.size() - i;
        break;
      }
      drawn_.push_back(plan_.fields[i]);
      used += std::min(width, left) + gap;
      if (width > left) {
        seen.hidden_right = plan_.fields.size() - i - 1;
        break;
      }
    }
  }

  void header(std::size_t line) {
    std::size_t column = sign_columns;
    for (const auto field : drawn_) {
      auto words = sheet_.fields[field].header;
      if (state_.sort == field) words += state_.descending ? "▾" : "▴";
      words = fitted(words, plan_.widths[field]);
      if (is_number(field)) words = pad_left(words, plan_.widths[field]);
      write(column, line, words, {.tone = report::tone::strong, .underlined = true});
      column += plan_.widths[field] + gap;
    }
  }

  void row(std::size_t line, const report::row& r, const report::row* above, bool selected) {
    const bool marked = marked_.contains(identity_of(sheet_, r));
    const look style{.tone = r.look, .reversed = selected};
    if (selected) canvas_.paint_row(line, style);
    if (selected) write(0, line, "▸", style);
    if (marked) write(1, line, "●", style);
    std::size_t column = sign_columns;
    for (const auto field : drawn_) {
      const auto width = plan_.widths[field];
      // What a row shares with the one above is not said twice, so that groups can be seen.
      const bool repeated = field == plan_.fields.front() && above != nullptr && !selected &&
                            plan_.fields.size() > 1 && r.values.at(field) == above->values.at(field);
      auto words = repeated ? std::string{} : fitted(harmless_cell(sheet_, r, field), width);
      if (is_number(field)) words = pad_left(words, width);
      write(column, line, words, style);
      column += width + gap;
    }
  }

  [[nodiscard]] bool is_number(std::size_t field) const {
    return sheet_.fields[field].unit != report::unit::text;
  }

  grid& canvas_;
  area room_;
  const report::sheet& sheet_;
  table_state& state_;
  const std::set<std::string>& marked_;
  plan plan_{};
  std::vector<std::size_t> drawn_{};
};

}  // namespace

table_picture draw_table(grid& canvas, const area& room, const report::sheet& sheet, table_state& state,
                         const std::set<std::string>& marked) {
  if (room.rows == 0 || room.columns <= sign_columns) return {};
  return table_drawing(canvas, room, sheet, state, marked).draw();
}

}  // namespace ridge::tui
