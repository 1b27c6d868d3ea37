// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/render.hpp>

#include "screens/run_choice.hpp"
#include "screens/screen.hpp"

namespace ridge::tui {

result<page> run_page(workspace& work, const results::arguments& given) {
  const auto store = work.store();
  if (!store) return store.why();
  auto found = chosen_run(**store, given.text("run"));
  if (!found) return found.why();
  const auto only = given.text("experiment");
  if (!only.empty())
    std::erase_if(found->families, [&](const model::family& f) { return !glob_matches(only, f.experiment); });
  page made{.schema = "ridge.tui.run/1",
            .context = fmt::format("{} · {} · {}", found->id, short_time(found->started),
                                   found->environment.machine),
            .facts = {{"run", found->id}}};
  if (!found->command.empty()) made.context += " · " + join(found->command, " ");
  for (auto& family : found->families) {
    for (auto& m : family.measurements) m.samples = {};  // the tables do not show them
  }
  const auto kept = std::make_shared<const model::run>(*std::move(found));
  made.panes.emplace_back(text_block{.title = "Run", .text = [kept](const tui::room& space) {
                                       return report::console(*kept, space.options());
                                     }});
  return made;
}

}  // namespace ridge::tui
