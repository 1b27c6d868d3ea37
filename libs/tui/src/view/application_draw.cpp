// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "view/application.hpp"

namespace ridge::tui {
namespace {

constexpr std::size_t least_columns = 80, least_rows = 24;
constexpr std::size_t body_line = 3, lines_below = 2;
constexpr look dim{.tone = report::tone::dim}, strong{.tone = report::tone::strong};

grid too_small(std::size_t columns, std::size_t rows) {
  grid canvas(columns, rows);
  const auto words = fmt::format(
      "This terminal is {}×{}. The screens need {}×{}: make it larger, or press q and use `ridge tui "
      "--simple`.",
      columns, rows, least_columns, least_rows);
  std::size_t row = 0;
  const auto wrapped = wrap(words, std::max<std::size_t>(columns, 1));
  for (const auto line : split(wrapped, '\n')) canvas.write(0, row++, line);
  return canvas;
}

}  // namespace

grid application::picture(std::size_t columns, std::size_t rows) {
  if (columns < least_columns || rows < least_rows) return too_small(columns, rows);
  grid canvas(columns, rows);
  position_.clear();
  draw_tabs(canvas);
  draw_title(canvas);
  draw_body(canvas);
  draw_state(canvas, rows - 2);
  draw_keys(canvas, rows - 1);
  return canvas;
}

void application::draw_tabs(grid& canvas) {
  std::size_t width = 0;
  for (const auto& one : screens()) width += one.key == 0 ? 0 : display_width(one.title) + 4;
  const bool whole = width <= canvas.columns();
  std::size_t column = 0;
  bool seen = false;
  for (const auto& one : screens()) {
    if (one.key == 0) continue;
    const bool current = one.name == current_;
    seen = seen || current;
    const auto words = fmt::format("{}{}{}", one.key, whole ? " " : "", whole ? one.title : one.brief);
    column = canvas.write(column, 0, words,
                          {.tone = current ? report::tone::strong : report::tone::dim, .reversed = current}) +
             (whole ? 2 : 1);
  }
  const auto& here_title = here().which().title;
  if (!seen && column + display_width(here_title) < canvas.columns())
    canvas.write(column, 0, here_title, {.tone = report::tone::strong, .reversed = true});
}

void application::draw_title(grid& canvas) {
  const auto* const shown = here().content();
  auto column = canvas.write(0, 1, shown != nullptr ? shown->title : here().which().title, strong);
  if (shown != nullptr && !shown->context.empty()) {
    const auto words = " · " + one_line(shown->context);
    column =
        canvas.write(column, 1, fitted(words, canvas.columns() - std::min(canvas.columns(), column)), {});
  }
  std::string told;
  for (const auto& [key, value] : here().given()) {
    if (!value.empty()) told += fmt::format("  {}={}", key, one_line(value));
  }
  if (column < canvas.columns()) canvas.write(column, 1, fitted(told, canvas.columns() - column), dim);
}

void application::draw_body(grid& canvas) {
  const area place{.column = 0,
                   .row = body_line,
                   .columns = canvas.columns(),
                   .rows = canvas.rows() - body_line - lines_below};
  if (form_) return form_->draw(canvas, place, form_complaint_);
  if (!overlay_.empty()) {
    canvas.write(0, 2, overlay_title_, strong);
    return draw_text(canvas, overlay_, overlay_top_, place);
  }
  if (const auto* const why = here().problem()) {
    std::size_t row = body_line;
    const auto words =
        wrap(one_line(why->message), place.columns) + '\n' + wrap(one_line(why->remedy), place.columns);
    for (const auto line : split(words, '\n')) {
      canvas.write(0, row, line, {.tone = row == body_line ? report::tone::bad : report::tone::plain});
      ++row;
    }
    return;
  }
  if (const auto* const shown = here().content())
    draw_panes(canvas, *shown, {place.column, 2, place.columns, place.rows + 1});
}

void application::draw_pane_titles(grid& canvas, const page& shown, std::size_t row) {
  const auto count = shown.panes.size();
  const auto share = canvas.columns() / std::max<std::size_t>(count, 1);
  std::size_t whole = 0;
  for (const auto& part : shown.panes) whole += display_width(title_of(part)) + 3;
  std::size_t column = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool current = i == here().pane();
    constexpr std::size_t least = 6, around = 3;
    const auto width =
        whole <= canvas.columns() ? canvas.columns() : std::max(least, share - std::min(share, around));
    const auto title = fitted(one_line(title_of(shown.panes[i])), width);
    const auto words = current ? "[" + title + "]" : " " + title + " ";
    column =
        canvas.write(column, row, words, {.tone = current ? report::tone::strong : report::tone::dim}) + 1;
  }
}

void application::draw_panes(grid& canvas, const page& shown, area place) {
  if (shown.head) {
    const auto lines = styled_lines(shown.head({.columns = place.columns, .rows = 0, .color = true}));
    constexpr std::size_t most_head = 8;
    for (std::size_t i = 0; i < std::min(lines.size(), most_head); ++i, ++place.row, --place.rows)
      canvas.write(place.column, place.row, lines[i]);
  }
  if (shown.panes.empty()) return;
  draw_pane_titles(canvas, shown, place.row);
  ++place.row;
  --place.rows;
  // Notes stay below, where there is room.
  std::vector<std::string> notes;
  for (const auto& note : shown.notes) {
    const auto wrapped = wrap(one_line(note), place.columns);
    for (const auto line : split(wrapped, '\n')) notes.emplace_back(line);
  }
  constexpr std::size_t least_body = 12;
  while (!notes.empty() && place.rows < least_body + notes.size()) notes.pop_back();
  for (std::size_t i = 0; i < notes.size(); ++i)
    canvas.write(place.column, place.row + place.rows - notes.size() + i, notes[i], dim);
  place.rows -= notes.size();
  // A chart beside the table that is looked at, where the screen is high enough for both.
  const auto is_chart = [](const pane& p) { return std::holds_alternative<report::chart>(p); };
  const auto chart = std::ranges::find_if(shown.panes, is_chart);
  constexpr std::size_t both = 30, least_chart = 17;
  const auto index = here().pane();
  if (chart != shown.panes.end() && here().table() != nullptr && place.rows >= both) {
    const auto upper = std::min(place.rows - least_chart, here().table()->rows.size() + 4);
    draw_pane(canvas, shown, index, {place.column, place.row, place.columns, upper});
    const auto position = position_;
    const auto page_rows = page_rows_;
    draw_pane(canvas, shown, static_cast<std::size_t>(chart - shown.panes.begin()),
              {place.column, place.row + upper + 1, place.columns, place.rows - upper - 1});
    position_ = position;
    page_rows_ = page_rows;
    return;
  }
  draw_pane(canvas, shown, index, place);
}

void application::draw_pane(grid& canvas, const page& shown, std::size_t index, const area& place) {
  const auto& part = shown.panes[index];
  auto& state = here().state_of(index);
  if (const auto* const sheet = std::get_if<report::sheet>(&part)) {
    if (sheet->single || !sheet->prose.empty()) {
      const auto lines =
          styled_lines(report::text_of({.sheets = {*sheet}}, {.columns = place.columns, .color = true}));
      return draw_text(canvas, lines, state.top, place);
    }
    const auto seen = draw_table(canvas, place, *sheet, state.table, here().marked());
    page_rows_ = seen.page_rows;
    if (seen.shown_rows > 0 && index == here().pane())
      position_ = fmt::format("row {} of {}", state.table.selected + 1, seen.shown_rows);
    if (seen.hidden_left + seen.hidden_right > 0)
      position_ += fmt::format(
          " · {}{} more column{}{}", seen.hidden_left > 0 ? "‹ " : "", seen.hidden_left + seen.hidden_right,
          seen.hidden_left + seen.hidden_right == 1 ? "" : "s", seen.hidden_right > 0 ? " ›" : "");
    return;
  }
  const room space{.columns = place.columns, .rows = place.rows, .color = true};
  std::string text;
  if (const auto* const chart = std::get_if<report::chart>(&part))
    text = chart_text(*chart, space);
  else
    text = std::get<text_block>(part).text(space);
  draw_text(canvas, styled_lines(text), state.top, place);
}

void application::draw_text(grid& canvas, const std::vector<styled_line>& lines, std::size_t& top,
                            const area& place) {
  page_rows_ = place.rows;
  top = lines.size() <= place.rows ? 0 : std::min(top, lines.size() - place.rows);
  for (std::size_t i = 0; i < place.rows && top + i < lines.size(); ++i)
    canvas.write(place.column, place.row + i, lines[top + i], place.column + place.columns);
  if (lines.size() > place.rows)
    position_ =
        fmt::format("lines {} to {} of {}", top + 1, std::min(top + place.rows, lines.size()), lines.size());
}

void application::draw_state(grid& canvas, std::size_t row) {
  if (line_ || (form_ && form_->editor() != nullptr)) {
    const auto& editor = line_ ? *line_ : *form_->editor();
    const auto end = canvas.write(0, row, editor.question(), strong);
    canvas.write(end, row, editor.text() + "_");
    return;
  }
  const auto right = one_line(position_);
  const auto room_left = canvas.columns() - std::min(canvas.columns(), display_width(right) + 2);
  canvas.write(0, row, fitted(one_line(message_), room_left), {.tone = report::tone::doubtful});
  canvas.write(canvas.columns() - std::min(canvas.columns(), display_width(right)), row, right, dim);
}

void application::draw_keys(grid& canvas, std::size_t row) {
  std::string words = "? help  q quit  Tab next  / filter  s sort  space mark  c compare  Enter row";
  if (here().table() == nullptr) words = "? help  q quit  Tab next  j k scroll  p set  e export  y link";
  if (!overlay_.empty()) words = "j k scroll  Esc close";
  if (form_) words = "j k choose  Enter type  space next choice  x clear  a apply  Esc cancel";
  if (line_) words = "Enter accept  Esc cancel";
  canvas.write(0, row, fitted(words, canvas.columns()), dim);
}

}  // namespace ridge::tui
