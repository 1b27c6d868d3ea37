// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "view/application.hpp"

namespace ridge::tui {

void application::press(const key& pressed) {
  if (pressed.code == key_code::redraw) {
    redraw_ = true;
    here().renew();
    return;
  }
  if (line_) return press_line(pressed);
  if (form_) return press_form(pressed);
  if (over_screen_.shown()) return press_overlay(pressed);
  if (pressed.code == key_code::paste) return;  // what is pasted is text, never keys
  press_screen(pressed);
}

void application::press_line(const key& pressed) {
  const auto done = line_->press(pressed);
  const auto kind = asking_;
  if (kind == asking::filter && done != line_editor::state::accepted) {
    auto& table = table_here();
    table.filter = done == line_editor::state::given_up ? "" : line_->text();
    table.selected = 0;
  }
  if (done == line_editor::state::typing) return;
  const auto text = line_->text();
  line_.reset();
  asking_ = asking::nothing;
  if (done == line_editor::state::given_up) return;
  if (kind == asking::command) obey(text);
  if (kind == asking::file) export_as(text);
}

void application::press_form(const key& pressed) {
  const auto done = form_->press(pressed);
  if (done == form::state::open) return;
  if (done == form::state::given_up) {
    form_.reset();
    return;
  }
  const auto parsed = results::arguments::parse(here().which().parameters, form_->given());
  if (!parsed) {
    form_complaint_ = parsed.why().text();
    return;
  }
  here().tell(form_->given());
  form_.reset();
}

void application::press_overlay(const key& pressed) {
  if (over_screen_.scroll(pressed, page_rows_)) return;
  const bool opens = over_screen_.is_row && (pressed.is('o') || pressed.code == key_code::enter);
  over_screen_.close();
  if (opens) open_run();
}

bool application::move_by(const key& pressed) {
  const auto page = static_cast<long>(std::max<std::size_t>(page_rows_, 2) - 1);
  constexpr long everything = 1'000'000'000;
  long step = 0;
  if (pressed.code == key_code::down || pressed.is('j')) step = 1;
  if (pressed.code == key_code::up || pressed.is('k')) step = -1;
  if (pressed.code == key_code::page_down) step = page;
  if (pressed.code == key_code::page_up) step = -page;
  if (pressed.code == key_code::home || pressed.is('g')) step = -everything;
  if (pressed.code == key_code::end || pressed.is('G')) step = everything;
  if (step == 0) return false;
  here().move(step);
  return true;
}

void application::press_screen(const key& pressed) {
  if (move_by(pressed)) return;
  if (const auto* const sheet = here().table()) {
    if (pressed.is('/')) return ask(asking::filter, "filter: ", table_here().filter);
    if (const auto done = press_table(pressed, *sheet, table_here()); done.taken) {
      if (!done.message.empty()) say(done.message);
      return;
    }
    if (pressed.is(' ') || pressed.is('x')) {
      here().mark();
      return here().move(1);
    }
  }
  if (pressed.code == key_code::tab) return here().next_pane(1);
  if (pressed.code == key_code::back_tab) return here().next_pane(-1);
  if (pressed.code == key_code::enter) return enter();
  if (pressed.code == key_code::escape || pressed.code == key_code::backspace) {
    if (visited_.back()) message_.clear();
    return;
  }
  if (pressed.code != key_code::character || pressed.text.size() != 1) return;
  const char letter = pressed.text.front();
  if (letter >= '0' && letter <= '9') {
    const auto& all = screens();
    const auto found = std::ranges::find(all, letter, &screen::key);
    return found == all.end() ? say(fmt::format("This build has no screen {}.", letter)) : open(found->name);
  }
  press_letter(letter);
}

void application::press_letter(char letter) {
  switch (letter) {
    case 'q':
      return quit();
    case '?':
      return show_help();
    case ':':
      return ask(asking::command, ":", "");
    case 'c':
      return compare_marked();
    case 'o':
      return open_run();
    case '[':
      return neighbour(-1);
    case ']':
      return neighbour(1);
    case 'e':
      return ask(asking::file, "export as (.csv .json .txt .svg): ", "ridge-" + here().which().name + ".csv");
    case 'y':
      return link();
    case 'p':
      form_complaint_.clear();
      if (here().which().parameters.empty()) return say("This screen has nothing to choose.");
      form_.emplace(here().which(), here().given());
      return;
    case 't':
      theme_ = theme_ == theme::color ? theme::bold : theme_ == theme::bold ? theme::plain : theme::color;
      redraw_ = true;
      return say(theme_ == theme::color  ? "Theme: the colours of the terminal."
                 : theme_ == theme::bold ? "Theme: bold and reversed, without colours."
                                         : "Theme: plain, only the selected row is reversed.");
    default:
      return say("? shows the keys.");
  }
}

void application::ask(asking kind, std::string question, std::string text) {
  asking_ = kind;
  message_.clear();
  line_.emplace(std::move(question), std::move(text));
}

}  // namespace ridge::tui
