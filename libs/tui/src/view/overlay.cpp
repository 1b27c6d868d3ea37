// SPDX-License-Identifier: Apache-2.0
#include "view/overlay.hpp"

#include <algorithm>

#include <ridge/base/text.hpp>

#include "view/table_state.hpp"

namespace ridge::tui {

bool overlay::scroll(const key& pressed, std::size_t page_rows) {
  const auto page = static_cast<long>(page_rows);
  long step = 0;
  if (pressed.code == key_code::down || pressed.is('j')) step = 1;
  if (pressed.code == key_code::up || pressed.is('k')) step = -1;
  if (pressed.code == key_code::page_down || pressed.is(' ')) step = page;
  if (pressed.code == key_code::page_up) step = -page;
  if (step == 0) return false;
  const auto down = static_cast<std::size_t>(std::max(0L, step));
  const auto up = std::min(top, static_cast<std::size_t>(std::max(0L, -step)));
  top = top + down - up;
  return true;
}

overlay row_in_full(const report::sheet& sheet, const report::row& row) {
  overlay made{.title = "Row of " + sheet.title, .is_row = true};
  constexpr std::size_t name_columns = 18, text_columns = 60;
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    const auto& field = sheet.fields[i];
    const auto text = one_line(cell_text(sheet, row, i));
    const auto name =
        pad_right(fitted(field.header.empty() ? field.key : field.header, name_columns - 1), name_columns);
    const look style{.tone = field.header.empty() ? report::tone::dim : report::tone::plain};
    bool first = true;
    const auto wrapped = wrap(text, text_columns);
    for (const auto line : split(wrapped, '\n')) {
      made.lines.push_back({{first ? name : std::string(name_columns, ' '), {.tone = report::tone::dim}},
                            {std::string(line), style}});
      first = false;
    }
  }
  if (!row.note.empty()) made.lines.push_back({{row.note, {}}});
  made.lines.push_back({});
  const bool has_run = !value_of(sheet, row, "run").empty();
  made.lines.push_back({{has_run ? "Enter opens its run; any other key closes this." : "Any key closes this.",
                         {.tone = report::tone::dim}}});
  return made;
}

}  // namespace ridge::tui
