// SPDX-License-Identifier: Apache-2.0
#include "view/form.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

using results::parameter;
using results::parameter_kind;

std::string kind_words(const parameter& p) {
  std::vector<std::string> words(p.choices.begin(), p.choices.end());
  switch (p.kind) {
    case parameter_kind::choice:
      return join(words, " | ");
    case parameter_kind::count:
      return "a whole number";
    case parameter_kind::quantity:
      return fmt::format("a number in {0}, or with its unit", p.unit);
    case parameter_kind::flag:
      return "yes or nothing";
    case parameter_kind::text:
      break;
  }
  return std::string(p.placeholder);
}

}  // namespace

std::string form::shown_value(std::size_t index) const {
  const auto& p = which_->parameters[index];
  const auto found = given_.find(std::string(p.key));
  if (found != given_.end() && !found->second.empty()) return found->second;
  return p.preset.empty() ? "-" : fmt::format("{} (preset)", p.preset);
}

void form::next_choice() {
  const auto& p = which_->parameters[selected_];
  auto& value = given_[std::string(p.key)];
  if (p.kind == parameter_kind::flag) {
    value = value.empty() ? "true" : "";
    return;
  }
  if (p.choices.empty()) return;
  const auto here = std::ranges::find(p.choices, value.empty() ? p.preset : std::string_view(value));
  const bool last = here == p.choices.end() || std::next(here) == p.choices.end();
  value = last ? (here == p.choices.end() ? std::string(p.choices.front()) : std::string{})
               : std::string(*std::next(here));
}

void form::type(const key& pressed) {
  const auto done = editor_->press(pressed);
  if (done == line_editor::state::typing) return;
  if (done == line_editor::state::accepted)
    given_[std::string(which_->parameters[selected_].key)] = editor_->text();
  editor_.reset();
}

form::state form::press(const key& pressed) {
  if (editor_) {
    type(pressed);
    return state::open;
  }
  if (pressed.code == key_code::escape || pressed.is('q')) return state::given_up;
  if (pressed.is('a') || count() == 0) return state::accepted;
  if (pressed.code == key_code::down || pressed.code == key_code::tab || pressed.is('j'))
    selected_ = (selected_ + 1) % count();
  if (pressed.code == key_code::up || pressed.code == key_code::back_tab || pressed.is('k'))
    selected_ = (selected_ + count() - 1) % count();
  const auto& p = which_->parameters[selected_];
  const bool chosen = p.kind == parameter_kind::choice || p.kind == parameter_kind::flag;
  if (pressed.is('x')) given_.erase(std::string(p.key));
  if (pressed.is(' ') || (pressed.code == key_code::enter && chosen))
    next_choice();
  else if (pressed.code == key_code::enter)
    editor_.emplace(fmt::format("{} ({}): ", p.key, kind_words(p)), given_[std::string(p.key)]);
  return state::open;
}

void form::draw(grid& canvas, const area& place, const std::string& complaint) const {
  std::size_t line = place.row;
  const auto end = place.row + place.rows;
  const auto right = place.column + place.columns;
  canvas.write(place.column, line++, which_->purpose, {.tone = report::tone::strong}, right);
  if (!complaint.empty() && line < end) {
    const auto wrapped = wrap(complaint, place.columns);
    for (const auto words : split(wrapped, '\n'))
      if (line < end) canvas.write(place.column, line++, words, {.tone = report::tone::bad}, right);
  }
  ++line;
  constexpr std::size_t key_columns = 14, value_columns = 26;
  const std::size_t first = selected_ + line + 3 > end && count() > 0 ? selected_ + line + 3 - end : 0;
  for (std::size_t i = first; i < count() && line + 2 < end; ++i) {
    const auto& p = which_->parameters[i];
    const look style{.reversed = i == selected_};
    canvas.write(place.column, line, i == selected_ ? "▸ " : "  ", style, right);
    auto column = canvas.write(place.column + 2, line, pad_right(fitted(p.key, key_columns - 1), key_columns),
                               style, right);
    column = canvas.write(column, line, pad_right(fitted(shown_value(i), value_columns - 1), value_columns),
                          style, right);
    canvas.write(column, line++, fitted(p.help, right > column ? right - column : 0),
                 {.tone = report::tone::dim}, right);
  }
  if (count() > 0 && line + 1 < end) {
    const auto& p = which_->parameters[selected_];
    canvas.write(place.column + 2, line + 1,
                 fitted(fmt::format("{}: {}. {}.", p.key, kind_words(p), p.help), place.columns - 2), {},
                 right);
  }
}

}  // namespace ridge::tui
