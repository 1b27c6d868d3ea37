// SPDX-License-Identifier: Apache-2.0
#include "view/draw_panes.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

// Returns a title in so many columns at most. Titles of one page begin alike, "Kernels · " or the name of an
// experiment, so what is cut is in the middle.
std::string fitted_in_the_middle(const std::string& title, std::size_t columns) {
  constexpr std::size_t least_halves = 12;
  if (display_width(title) <= columns || columns < least_halves) return fitted(title, columns);
  std::string_view end(title);
  const auto at_most = columns / 2;
  while (display_width(end) > at_most) {
    end.remove_prefix(1);
    while (!end.empty() && (static_cast<unsigned char>(end.front()) & 0xc0U) == 0x80U) end.remove_prefix(1);
  }
  return fitted(title, columns - display_width(end)) + std::string(end);
}

void draw_pane_titles(grid& canvas, const page& shown, std::size_t looked_at, std::size_t row) {
  const auto count = shown.panes.size();
  const auto share = canvas.columns() / std::max<std::size_t>(count, 1);
  std::size_t whole = 0;
  for (const auto& part : shown.panes) whole += display_width(title_of(part)) + 3;
  std::size_t column = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool current = i == looked_at;
    constexpr std::size_t least = 6, around = 3;
    const auto width =
        whole <= canvas.columns() ? canvas.columns() : std::max(least, share - std::min(share, around));
    const auto title = fitted_in_the_middle(one_line(title_of(shown.panes[i])), width);
    const auto words = current ? "[" + title + "]" : " " + title + " ";
    column = canvas.write(column, row, words, current ? strong_look : dim_look) + 1;
  }
}

std::string position_in(const table_picture& seen, const table_state& state) {
  std::string text;
  if (seen.shown_rows > 0) text = fmt::format("row {} of {}", state.selected + 1, seen.shown_rows);
  const auto hidden = seen.hidden_left + seen.hidden_right;
  if (hidden > 0)
    text += fmt::format(" · {}{} more column{}{}", seen.hidden_left > 0 ? "‹ " : "", hidden,
                        hidden == 1 ? "" : "s", seen.hidden_right > 0 ? " ›" : "");
  return text;
}

pane_picture draw_pane(grid& canvas, screen_state& state, const page& shown, std::size_t index,
                       const area& place) {
  const auto& part = shown.panes[index];
  auto& here = state.state_of(index);
  if (const auto* const sheet = std::get_if<report::sheet>(&part)) {
    if (sheet->single || !sheet->prose.empty()) {
      const auto lines =
          styled_lines(report::text_of({.sheets = {*sheet}}, {.columns = place.columns, .color = true}));
      return draw_text(canvas, lines, here.top, place);
    }
    const auto seen = draw_table(canvas, place, *sheet, here.table, state.marked());
    return {.position = position_in(seen, here.table), .page_rows = seen.page_rows};
  }
  const room space{.columns = place.columns, .rows = place.rows, .color = true};
  std::string text;
  if (const auto* const chart = std::get_if<report::chart>(&part))
    text = chart_text(*chart, space);
  else
    text = std::get<text_block>(part).text(space);
  return draw_text(canvas, styled_lines(text), here.top, place);
}

void draw_head(grid& canvas, const page& shown, area& place) {
  if (!shown.head) return;
  const auto lines = styled_lines(shown.head({.columns = place.columns, .rows = 0, .color = true}));
  constexpr std::size_t most_head = 8;
  for (std::size_t i = 0; i < std::min(lines.size(), most_head); ++i, ++place.row, --place.rows)
    canvas.write(place.column, place.row, lines[i]);
}

// Draws as many notes at the end of a part as leave room for what they are about.
void draw_notes(grid& canvas, const page& shown, area& place) {
  std::vector<std::string> notes;
  for (const auto& note : shown.notes) {
    const auto wrapped = wrap(one_line(note), place.columns);
    for (const auto line : split(wrapped, '\n')) notes.emplace_back(line);
  }
  constexpr std::size_t least_body = 12;
  while (!notes.empty() && place.rows < least_body + notes.size()) notes.pop_back();
  for (std::size_t i = 0; i < notes.size(); ++i)
    canvas.write(place.column, place.row + place.rows - notes.size() + i, notes[i], dim_look);
  place.rows -= notes.size();
}

}  // namespace

pane_picture draw_text(grid& canvas, const std::vector<styled_line>& lines, std::size_t& top,
                       const area& place) {
  top = lines.size() <= place.rows ? 0 : std::min(top, lines.size() - place.rows);
  for (std::size_t i = 0; i < place.rows && top + i < lines.size(); ++i)
    canvas.write(place.column, place.row + i, lines[top + i], place.column + place.columns);
  pane_picture seen{.page_rows = place.rows};
  if (lines.size() > place.rows)
    seen.position =
        fmt::format("lines {} to {} of {}", top + 1, std::min(top + place.rows, lines.size()), lines.size());
  return seen;
}

pane_picture draw_panes(grid& canvas, screen_state& state, const page& shown, area place) {
  draw_head(canvas, shown, place);
  if (shown.panes.empty()) return {};
  draw_pane_titles(canvas, shown, state.pane(), place.row);
  ++place.row;
  --place.rows;
  draw_notes(canvas, shown, place);
  const auto is_chart = [](const pane& p) { return std::holds_alternative<report::chart>(p); };
  const auto chart = std::ranges::find_if(shown.panes, is_chart);
  constexpr std::size_t both = 30, least_chart = 17;
  if (chart == shown.panes.end() || state.table() == nullptr || place.rows < both)
    return draw_pane(canvas, state, shown, state.pane(), place);
  const auto upper = std::min(place.rows - least_chart, state.table()->rows.size() + 4);
  auto seen = draw_pane(canvas, state, shown, state.pane(), {place.column, place.row, place.columns, upper});
  draw_pane(canvas, state, shown, static_cast<std::size_t>(chart - shown.panes.begin()),
            {place.column, place.row + upper + 1, place.columns, place.rows - upper - 1});
  return seen;
}

}  // namespace ridge::tui
