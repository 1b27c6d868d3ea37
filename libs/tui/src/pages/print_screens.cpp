// SPDX-License-Identifier: Apache-2.0
// A screen once, without a terminal; and the menu.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/tui/grid.hpp>
#include <ridge/tui/tui.hpp>

#include "pages/export_page.hpp"
#include "screens/screen.hpp"
#include "view/application.hpp"

namespace ridge::tui {
namespace {

// Facts of the machine are read by other threads. Screens come back for them; who prints once must wait.
result<page> complete_page(const screen& which, workspace& work, const settings& given) {
  constexpr auto step = std::chrono::milliseconds(50);
  constexpr int most_steps = 400;
  auto made = make_page(which, work, given);
  if (which.refresh_s == 0) return made;
  const bool wants_machine = which.name == "machine";
  for (int i = 0; i < most_steps; ++i) {
    constexpr std::size_t enough = 2;  // shares of time need two looks
    const bool complete = work.pulse().pulses.size() >= enough && (!wants_machine || !work.machine().reading);
    if (complete) break;
    std::this_thread::sleep_for(step);
  }
  return make_page(which, work, given);
}

error no_screen(const std::string& name) {
  const auto meant = nearest_name(name, screen_names());
  return {fmt::format("there is no screen '{}'", name),
          meant ? fmt::format("did you mean {}?", *meant) : "there are " + join(screen_names(), ", ")};
}

}  // namespace

std::vector<std::string> screen_names() {
  std::vector<std::string> names;
  for (const auto& one : screens()) names.push_back(one.name);
  return names;
}

result<invocation> invocation_of(std::span<const std::string> words) {
  invocation wanted;
  if (!words.empty() && words.front().find('=') == std::string::npos) {
    wanted.screen = words.front();
    words = words.subspan(1);
  }
  const auto* const which = screen_named(wanted.screen);
  if (which == nullptr) return no_screen(wanted.screen);
  auto given = settings_from(words, which->parameters);
  if (!given) return given.why();
  const auto parsed = results::arguments::parse(which->parameters, *given);
  if (!parsed) return parsed.why();
  wanted.settings = *std::move(given);
  return wanted;
}

result<std::string> screen_text(const services& lent, const invocation& wanted, const room& space) {
  const auto* const which = screen_named(wanted.screen);
  if (which == nullptr) return no_screen(wanted.screen);
  workspace work(lent);
  const auto made = complete_page(*which, work, wanted.settings);
  if (!made) return made.why();
  return text_of(*made, space);
}

result<std::string> screen_json(const services& lent, const invocation& wanted) {
  const auto* const which = screen_named(wanted.screen);
  if (which == nullptr) return no_screen(wanted.screen);
  workspace work(lent);
  const auto made = complete_page(*which, work, wanted.settings);
  if (!made) return made.why();
  return results::answer_json(answer_of(*made)) + '\n';
}

std::string screen_picture(const services& lent, const invocation& wanted, std::size_t columns,
                           std::size_t rows) {
  application shown(lent, wanted.screen, wanted.settings);
  shown.tick();
  if (screen_named(wanted.screen)->refresh_s > 0) {  // what is watched needs a moment to be seen
    constexpr auto moment = std::chrono::milliseconds(600);
    std::this_thread::sleep_for(moment);
    shown.tick();
  }
  return shown.picture(columns, rows).text();
}

}  // namespace ridge::tui
