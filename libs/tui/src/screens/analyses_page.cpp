// SPDX-License-Identifier: Apache-2.0
#include "screens/screen.hpp"

namespace ridge::tui {

result<page> analyses_page(workspace&, const results::arguments&) {
  report::sheet sheet{.key = "screens",
                      .title = "Screens",
                      .fields = {{.key = "title", .header = "screen"},
                                 {.key = "question", .header = "question"},
                                 {.key = "key", .header = "key"},
                                 {.key = "screen", .header = "name"}}};
  for (const auto& one : screens()) {
    if (one.name == "analyses" || one.name == "run") continue;
    sheet.rows.push_back(
        {.values = {one.title, one.purpose,
                    one.key == 0 ? report::value{std::monostate{}} : report::value{std::string(1, one.key)},
                    one.name}});
  }
  return page{.schema = "ridge.tui.analyses/1", .context = "Enter opens one", .panes = {std::move(sheet)}};
}

}  // namespace ridge::tui
