// SPDX-License-Identifier: Apache-2.0
#include "view/help_text.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

using line = std::pair<std::string_view, std::string_view>;
constexpr std::array keys = std::to_array<line>({
    {"1 to 9", "go to a screen; 0 lists all of them"},
    {"Tab, Shift-Tab", "go to the next table, chart or text"},
    {"j k, arrows, PgUp PgDn, g G", "go through rows or lines"},
    {"h l, left right", "show other columns of a table"},
    {"/", "show only rows that contain a text"},
    {"s, S", "sort by the next column; turn the order around"},
    {"space, x", "mark a row"},
    {"c", "compare the marked variants or runs"},
    {"Enter", "show a row in full, then its run"},
    {"o", "open the run of a row"},
    {"[ ]", "run before or after; another series"},
    {"p", "choose what the screen shows"},
    {"e", "export: .csv .json .txt, charts as .svg"},
    {"y", "show and copy the command of this screen"},
    {"t", "other colours, or none"},
    {":", "a command: :results experiment=ch07"},
    {"Esc", "close, or go back to the screen before"},
    {"Ctrl-L", "draw everything anew"},
    {"q", "quit"},
});

}  // namespace

std::string help_text(const screen& which, bool can_run) {
  using report::paint;
  using report::tone;
  auto text = paint(which.title, tone::strong, true) + ": " + which.purpose + ".\n\n";
  constexpr std::size_t key_columns = 30;
  for (const auto& [name, means] : keys)
    text += pad_right(std::string(name), key_columns) + paint(means, tone::dim, true) + '\n';
  if (can_run)
    text += pad_right(":run ch01 --profile minimal", key_columns) +
            paint("measure here; :stop ends it", tone::dim, true) + '\n';
  return text;
}

}  // namespace ridge::tui
