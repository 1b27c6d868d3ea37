// SPDX-License-Identifier: Apache-2.0
#include "view/picture.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

constexpr std::size_t least_columns = 80, least_rows = 24;
constexpr std::size_t body_line = 3, lines_below = 2;

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

picture_and_page picture::draw() && {
  const auto columns = canvas_.columns(), rows = canvas_.rows();
  if (columns < least_columns || rows < least_rows) return {too_small(columns, rows)};
  draw_tabs();
  draw_title();
  draw_body();
  draw_state(rows - 2);
  draw_keys(rows - 1);
  return {std::move(canvas_), body_.page_rows};
}

void picture::draw_tabs() {
  std::size_t width = 0;
  for (const auto& one : screens()) width += one.key == 0 ? 0 : display_width(one.title) + 4;
  const bool whole = width <= canvas_.columns();
  std::size_t column = 0;
  bool seen = false;
  for (const auto& one : screens()) {
    if (one.key == 0) continue;
    const bool current = one.name == shown_.state.which().name;
    seen = seen || current;
    const auto words = fmt::format("{}{}{}", one.key, whole ? " " : "", whole ? one.title : one.brief);
    column =
        canvas_.write(column, 0, words,
                      {.tone = current ? report::tone::strong : report::tone::dim, .reversed = current}) +
        (whole ? 2 : 1);
  }
  const auto& here_title = shown_.state.which().title;
  if (!seen && column + display_width(here_title) < canvas_.columns())
    canvas_.write(column, 0, here_title, {.tone = report::tone::strong, .reversed = true});
}

void picture::draw_title() {
  const auto* const shown = shown_.state.content();
  auto column =
      canvas_.write(0, 1, shown != nullptr ? shown->title : shown_.state.which().title, strong_look);
  if (shown != nullptr && !shown->context.empty()) {
    const auto words = " · " + one_line(shown->context);
    column =
        canvas_.write(column, 1, fitted(words, canvas_.columns() - std::min(canvas_.columns(), column)), {});
  }
  std::string told;
  for (const auto& [key, value] : shown_.state.given()) {
    if (!value.empty()) told += fmt::format("  {}={}", key, one_line(value));
  }
  if (column < canvas_.columns())
    canvas_.write(column, 1, fitted(told, canvas_.columns() - column), dim_look);
}

void picture::draw_body() {
  const area place{.column = 0,
                   .row = body_line,
                   .columns = canvas_.columns(),
                   .rows = canvas_.rows() - body_line - lines_below};
  if (shown_.prompts != nullptr) return shown_.prompts->draw(canvas_, place, shown_.form_complaint);
  if (shown_.over.shown()) {
    canvas_.write(0, 2, shown_.over.title, strong_look);
    body_ = draw_text(canvas_, shown_.over.lines, shown_.over.top, place);
    return;
  }
  if (const auto* const why = shown_.state.problem()) return draw_problem(place, *why);
  if (const auto* const content = shown_.state.content())
    body_ = draw_panes(canvas_, shown_.state, *content, {place.column, 2, place.columns, place.rows + 1});
}

void picture::draw_problem(const area& place, const error& why) {
  std::size_t row = place.row;
  const auto words =
      wrap(one_line(why.message), place.columns) + '\n' + wrap(one_line(why.remedy), place.columns);
  for (const auto line : split(words, '\n')) {
    canvas_.write(0, row, line, {.tone = row == place.row ? report::tone::bad : report::tone::plain});
    ++row;
  }
}

void picture::draw_state(std::size_t row) {
  const auto* const typed_in_form = shown_.prompts == nullptr ? nullptr : shown_.prompts->editor();
  const auto* const line = shown_.line != nullptr ? shown_.line : typed_in_form;
  if (line != nullptr) {
    const auto end = canvas_.write(0, row, line->question(), strong_look);
    canvas_.write(end, row, line->text() + "_");
    return;
  }
  const auto right = one_line(body_.position);
  const auto room_left = canvas_.columns() - std::min(canvas_.columns(), display_width(right) + 2);
  canvas_.write(0, row, fitted(one_line(shown_.message), room_left), {.tone = report::tone::doubtful});
  canvas_.write(canvas_.columns() - std::min(canvas_.columns(), display_width(right)), row, right, dim_look);
}

void picture::draw_keys(std::size_t row) {
  std::string words = "? help  q quit  Tab next  / filter  s sort  space mark  c compare  Enter row";
  if (shown_.state.table() == nullptr)
    words = "? help  q quit  Tab next  j k scroll  p set  e export  y link";
  if (shown_.over.shown()) words = "j k scroll  Esc close";
  if (shown_.prompts != nullptr)
    words = "j k choose  Enter type  space next choice  x clear  a apply  Esc cancel";
  if (shown_.line != nullptr) words = "Enter accept  Esc cancel";
  canvas_.write(0, row, fitted(words, canvas_.columns()), dim_look);
}

}  // namespace ridge::tui
