// SPDX-License-Identifier: Apache-2.0
#include "view/draw_table.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

constexpr std::size_t gap = 2, sign_columns = 3, widest_cell = 44, least_cut = 8;

// A table while it is laid out: texts are made once for each row on the screen.
struct plan {
  std::vector<std::size_t> fields{};   // shown ones, the first one first
  std::vector<std::size_t> widths{};   // by field
  std::string shared{};                // "machine a · backend cpu"
  std::optional<std::size_t> group{};  // the field whose values head groups of rows instead of a column
  std::vector<std::size_t> heading{};  // that field, and others that are the same within each group
};

// A line of the body: a row, or the heading of the group that begins with it.
struct table_line {
  std::size_t row = 0;  // its place among the shown rows
  bool heading = false;
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

// Returns the width that most texts of a field have room in.
std::size_t usual_width(const report::sheet& sheet, const std::vector<std::size_t>& rows, std::size_t field) {
  constexpr std::size_t most_measured = 500;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < std::min(rows.size(), most_measured); ++i)
    widths.push_back(display_width(harmless_cell(sheet, sheet.rows[rows[i]], field)));
  if (widths.empty()) return 0;
  const auto most = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() * 9 / 10);
  std::nth_element(widths.begin(), most, widths.end());
  return *most;
}

// Makes texts narrower until some of the first fields fit; the others are reached by scrolling. What few rows
// need is given up first, then names, then the widest; no field becomes narrower than its header.
void narrow(plan& p, const report::sheet& sheet, const std::vector<std::size_t>& rows, std::size_t columns) {
  constexpr std::size_t wanted = 4, least = 12, least_name = 16;
  const auto count = std::min(wanted, p.fields.size());
  const auto too_wide = [&] {
    std::size_t all = sign_columns;
    for (std::size_t i = 0; i < count; ++i) all += p.widths[p.fields[i]] + gap;
    return all > columns + gap;
  };
  const auto narrowest = [&](std::size_t field) {
    return std::max(least, display_width(sheet.fields[field].header));
  };
  if (!too_wide()) return;
  const auto whole_name = p.widths[p.fields.front()];
  for (const auto field : p.fields)
    p.widths[field] = std::min(p.widths[field], std::max(narrowest(field), usual_width(sheet, rows, field)));
  auto& name = p.widths[p.fields.front()];
  while (too_wide() && name > least_name) --name;
  while (too_wide()) {
    std::optional<std::size_t> widest;
    for (std::size_t i = 0; i < count; ++i) {
      const auto field = p.fields[i];
      if (p.widths[field] > narrowest(field) && (!widest || p.widths[field] > p.widths[*widest]))
        widest = field;
    }
    if (!widest) break;
    --p.widths[*widest];
  }
  while (!too_wide() && name < whole_name) ++name;
  if (too_wide() && name > least_name) --name;
}

// Returns whether a group ends between two rows: what heads it, the machine or the backend changes.
bool begins_group(const plan& p, const report::sheet& sheet, const report::row& above,
                  const report::row& row) {
  if (above.values.at(*p.group) != row.values.at(*p.group)) return true;
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    const auto& key = sheet.fields[i].key;
    if ((key == "machine" || key == "backend") && above.values.at(i) != row.values.at(i)) return true;
  }
  return false;
}

bool is_the_same_in_groups(const plan& p, const report::sheet& sheet, const std::vector<std::size_t>& rows,
                           std::size_t field) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto &above = sheet.rows[rows[i - 1]], &row = sheet.rows[rows[i]];
    if (!begins_group(p, sheet, above, row) && above.values.at(field) != row.values.at(field)) return false;
  }
  return true;
}

// Where the columns have no room, those that say where a row was measured stand behind what was measured.
void put_places_last(plan& p, const report::sheet& sheet, std::size_t columns) {
  if (columns_of(p) <= columns + gap || p.fields.empty()) return;
  std::stable_partition(p.fields.begin() + 1, p.fields.end(), [&](std::size_t field) {
    const auto& key = sheet.fields[field].key;
    return key != "machine" && key != "backend" && key != "role";
  });
}

// Where several rows in a row have the same first value, it heads them, if there is no room for a column, and
// with it whatever else is the same within each group.
void group_rows(plan& p, const report::sheet& sheet, const std::vector<std::size_t>& rows,
                const table_state& state, std::size_t columns) {
  constexpr std::size_t least_fields = 3;
  if (p.fields.size() < least_fields || rows.empty() || columns_of(p) <= columns + gap) return;
  const auto first = p.fields.front();
  if (state.sort && *state.sort != first) return;
  p.group = first;
  std::size_t groups = 1;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (begins_group(p, sheet, sheet.rows[rows[i - 1]], sheet.rows[rows[i]])) ++groups;
  }
  if (groups * 3 > rows.size() * 2) {
    p.group.reset();
    return;
  }
  std::vector<std::size_t> kept;
  for (const auto field : p.fields) {
    const bool is_text = sheet.fields[field].unit == report::unit::text;
    const bool heads = field == first || (is_text && is_the_same_in_groups(p, sheet, rows, field));
    (heads ? p.heading : kept).push_back(field);
  }
  if (kept.empty()) kept.push_back(p.fields.back());
  p.fields = std::move(kept);
}

std::vector<table_line> table_lines(const plan& p, const report::sheet& sheet,
                                    const std::vector<std::size_t>& rows) {
  std::vector<table_line> lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool begins =
        p.group && (i == 0 || begins_group(p, sheet, sheet.rows[rows[i - 1]], sheet.rows[rows[i]]));
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
    plan_ = plan_of(sheet_, rows, room_.columns);
    group_rows(plan_, sheet_, rows, state_, room_.columns);
    put_places_last(plan_, sheet_, room_.columns);
    narrow(plan_, sheet_, rows, room_.columns);
    std::size_t line = room_.row;
    if (!plan_.shared.empty())
      write(sign_columns, line++, fitted("all: " + plan_.shared, room_.columns - sign_columns), dim);
    table_picture seen{.shown_rows = rows.size()};
    const auto end = room_.row + room_.rows;
    if (rows.empty()) {
      const auto words = sheet_.rows.empty()
                             ? sheet_.empty
                             : "No row contains \"" + state_.filter + "\"; / Enter shows all.";
      const auto wrapped = wrap(one_line(words), room_.columns - sign_columns);
      for (const auto text : split(wrapped, '\n')) write(sign_columns, line++, text, {});
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
    std::size_t column = sign_columns;
    for (const auto field : drawn_) {
      const auto width = plan_.widths[field];
      // What a row shares with the one above is not said twice, so that groups can be seen.
      const bool repeated = !plan_.group && field == plan_.fields.front() && above != nullptr && !selected &&
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
