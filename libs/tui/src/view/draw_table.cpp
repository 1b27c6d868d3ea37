// SPDX-License-Identifier: Apache-2.0
#include "view/draw_table.hpp"

#include <algorithm>
#include <cstddef>

#include <ridge/base/text.hpp>

#include "view/table_plan.hpp"

namespace ridge::tui {
namespace {

constexpr std::size_t least_cut = 8;

// A line of the body: a row, or the heading of the group that begins with it.
struct table_line {
  std::size_t row = 0;  // its place among the shown rows
  bool heading = false;
};

std::vector<table_line> table_lines(const table_plan& p, const report::sheet& sheet,
                                    const std::vector<std::size_t>& rows) {
  std::vector<table_line> lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool begins =
        p.group && (i == 0 || p.begins_group(sheet, sheet.rows[rows[i - 1]], sheet.rows[rows[i]]));
    if (begins) lines.push_back({i, true});
    lines.push_back({i, false});
  }
  return lines;
}

// Moves the window over the lines so that the selected row is in it, below the heading of its group.
void keep_inside(table_state& state, const std::vector<table_line>& lines, std::size_t page_rows,
                 bool grouped) {
  const auto selected =
      std::ranges::find_if(lines, [&](const table_line& l) { return !l.heading && l.row == state.selected; });
  const auto line = static_cast<std::size_t>(selected - lines.begin());
  // The heading of a group stays in the first line while its rows pass, so one line above is needed.
  const std::size_t above = grouped && line > 0 ? 1 : 0;
  state.top = std::min(state.top, line - above);
  if (line >= state.top + page_rows) state.top = line - page_rows + 1;
  state.top = lines.size() <= page_rows ? 0 : std::min(state.top, lines.size() - page_rows);
}

// One table being drawn.
class table_drawing final {
 public:
  table_drawing(grid& canvas, const area& room, const report::sheet& sheet, table_state& state,
                const std::set<std::string>& marked)
      : canvas_(canvas), room_(room), sheet_(sheet), state_(state), marked_(marked) {}

  table_picture draw() {
    const auto rows = shown_rows(sheet_, state_);
    plan_ = table_plan_of(sheet_, rows, state_, room_.columns);
    std::size_t line = room_.row;
    if (!plan_.shared.empty())
      write(table_plan::sign_columns, line++,
            fitted("all: " + plan_.shared, room_.columns - table_plan::sign_columns), dim);
    table_picture seen{.shown_rows = rows.size()};
    const auto end = room_.row + room_.rows;
    if (rows.empty()) {
      const auto words = sheet_.rows.empty()
                             ? sheet_.empty
                             : "No row contains \"" + state_.filter + "\"; / Enter shows all.";
      const auto wrapped = wrap(one_line(words), room_.columns - table_plan::sign_columns);
      for (const auto text : split(wrapped, '\n')) write(table_plan::sign_columns, line++, text, {});
      return seen;
    }
    choose_fields(seen);
    header(line++);
    seen.page_rows = end > line ? end - line : 1;
    body(line, rows, seen.page_rows);
    return seen;
  }

 private:
  static constexpr look dim{.tone = report::tone::dim};

  void write(std::size_t column, std::size_t line, std::string_view text, look style) {
    if (line < room_.row + room_.rows)
      canvas_.write(room_.column + column, line, text, style, room_.column + room_.columns);
  }

  void body(std::size_t line, const std::vector<std::size_t>& rows, std::size_t page_rows) {
    const auto lines = table_lines(plan_, sheet_, rows);
    state_.selected = std::min(state_.selected, rows.size() - 1);
    keep_inside(state_, lines, page_rows, plan_.group.has_value());
    for (std::size_t i = 0; i < page_rows && state_.top + i < lines.size(); ++i) {
      const auto& shown = lines[state_.top + i];
      const auto& r = sheet_.rows[rows[shown.row]];
      if (shown.heading || (i == 0 && plan_.group)) {
        heading(line + i, r);
        continue;
      }
      const auto* const above = i > 0 && shown.row > 0 ? &sheet_.rows[rows[shown.row - 1]] : nullptr;
      row(line + i, r, above, shown.row == state_.selected);
    }
  }

  // Decides which fields have room, from the first one and those behind the ones scrolled away.
  void choose_fields(table_picture& seen) {
    state_.left = plan_.fields.size() < 2 ? 0 : std::min(state_.left, plan_.fields.size() - 2);
    std::size_t used = table_plan::sign_columns;
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
      used += std::min(width, left) + table_plan::gap;
      if (width > left) {
        seen.hidden_right = plan_.fields.size() - i - 1;
        break;
      }
    }
  }

  void header(std::size_t line) {
    std::size_t column = table_plan::sign_columns;
    for (const auto field : drawn_) {
      auto words = sheet_.fields[field].header;
      if (state_.sort == field) words += state_.descending ? "▾" : "▴";
      words = fitted(words, plan_.widths[field]);
      if (is_number(field)) words = pad_left(words, plan_.widths[field]);
      write(column, line, words, {.tone = report::tone::strong, .underlined = true});
      column += plan_.widths[field] + table_plan::gap;
    }
  }

  void heading(std::size_t line, const report::row& r) {
    std::string others;
    for (const auto field : plan_.heading) {
      const auto text = harmless_cell(sheet_, r, field);
      if (field != *plan_.group && text != "-" && sheet_.fields[field].key != "run") others += " · " + text;
    }
    write(1, line, harmless_cell(sheet_, r, *plan_.group), {.tone = report::tone::strong});
    const auto column = 1 + display_width(harmless_cell(sheet_, r, *plan_.group));
    if (column < room_.columns) write(column, line, fitted(others, room_.columns - column), dim);
  }

  void row(std::size_t line, const report::row& r, const report::row* above, bool selected) {
    const bool marked = marked_.contains(identity_of(sheet_, r));
    const look style{.tone = r.look, .reversed = selected};
    if (selected) canvas_.paint_row(line, style);
    if (selected) write(0, line, "▸", style);
    if (marked) write(1, line, "●", style);
    std::size_t column = table_plan::sign_columns;
    for (const auto field : drawn_) {
      const auto width = plan_.widths[field];
      // What a row shares with the one above is not said twice, so that groups can be seen.
      const bool repeated = !plan_.group && field == plan_.fields.front() && above != nullptr && !selected &&
                            plan_.fields.size() > 1 && r.values.at(field) == above->values.at(field);
      auto words = repeated ? std::string{} : fitted(harmless_cell(sheet_, r, field), width);
      if (is_number(field)) words = pad_left(words, width);
      write(column, line, words, style);
      column += width + table_plan::gap;
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
  table_plan plan_{};
  std::vector<std::size_t> drawn_{};
};

}  // namespace

table_picture draw_table(grid& canvas, const area& room, const report::sheet& sheet, table_state& state,
                         const std::set<std::string>& marked) {
  if (room.rows == 0 || room.columns <= table_plan::sign_columns) return {};
  return table_drawing(canvas, room, sheet, state, marked).draw();
}

}  // namespace ridge::tui
