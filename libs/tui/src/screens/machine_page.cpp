// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/tree.hpp>

#include "live/pulse_view.hpp"
#include "screens/run_choice.hpp"
#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

report::tone tone_of(model::severity severity) {
  switch (severity) {
    case model::severity::error:
      return report::tone::bad;
    case model::severity::warning:
      return report::tone::doubtful;
    case model::severity::unknown:
      return report::tone::dim;
    case model::severity::ok:
    case model::severity::info:
      break;
  }
  return report::tone::plain;
}

int gravity(model::severity severity) {
  using enum model::severity;
  return severity == error ? 0 : severity == warning ? 1 : severity == info ? 2 : severity == unknown ? 3 : 4;
}

report::sheet audit_sheet(const machine_report& seen) {
  report::sheet sheet{.key = "audit",
                      .title = "Audit",
                      .fields = {{.key = "severity", .header = "severity"},
                                 {.key = "title", .header = "check"},
                                 {.key = "seen", .header = "seen"},
                                 {.key = "why", .header = "why it matters"},
                                 {.key = "id", .header = "id"},
                                 {.key = "fix_bare_metal"},
                                 {.key = "fix_container"},
                                 {.key = "fix_kubernetes"}}};
  sheet.empty = !seen.problem.empty() ? "The machine could not be read: " + seen.problem
                : seen.reading        ? "being read ..."
                                      : "Nothing was audited.";
  if (!seen.audit) return sheet;
  auto checks = seen.audit->checks;
  std::ranges::stable_sort(checks, {}, [](const model::audit_check& c) { return gravity(c.severity); });
  for (const auto& c : checks)
    sheet.rows.push_back({.values = {std::string(name(c.severity)), c.title, c.seen, c.why, c.id,
                                     c.fix_bare_metal, c.fix_container, c.fix_kubernetes},
                          .look = tone_of(c.severity)});
  return sheet;
}

report::sheet peaks_sheet(workspace& work) {
  report::sheet sheet{
      .key = "peaks",
      .title = "Ceilings of the newest run",
      .fields = {{.key = "description", .header = "ceiling"},
                 {.key = "shown", .header = "measured"},
                 {.key = "of_specified", .header = "of specified", .unit = report::unit::percent},
                 {.key = "threads", .header = "threads", .unit = report::unit::count},
                 {.key = "variant", .header = "reached by"},
                 {.key = "note", .header = "note"},
                 {.key = "id", .header = "id"},
                 {.key = "value"},
                 {.key = "unit"}},
      .empty = "No run is stored: `ridge peak` measures what this machine can do."};
  const auto store = work.store();
  if (!store) return sheet;
  const auto newest = chosen_run(**store, "");
  if (!newest) return sheet;
  sheet.title = fmt::format("Ceilings of run {} on {}", short_id(newest->id), newest->environment.machine);
  sheet.empty = "The newest run holds no ceiling: `ridge peak` measures what this machine can do.";
  for (const auto& c : newest->peak.ceilings) {
    const auto share = c.specified > 0 && c.value > 0 ? report::value(100 * c.value / c.specified)
                                                      : report::value(std::monostate{});
    sheet.rows.push_back({.values = {c.description, format_quantity(c.value, c.unit), share,
                                     std::int64_t{c.threads}, c.variant, c.note, c.id, c.value, c.unit}});
  }
  return sheet;
}

report::sheet kept_peaks(workspace& work) {
  auto& kept = work.kept("machine");
  auto version = work.version();
  if (kept.version != version || kept.sheets.empty()) kept = {std::move(version), {peaks_sheet(work)}, {}};
  return kept.sheets.front();
}

}  // namespace

result<page> machine_page(workspace& work, const results::arguments&) {
  const auto machine = work.machine();
  const auto seen = work.pulse();
  page made{.schema = "ridge.tui.machine/1"};
  made.context = machine.tree ? machine.tree->name : std::string("being read ...");
  made.head = [seen](const tui::room& space) { return pulse_lines(seen, space); };
  made.panes.emplace_back(pulse_chart(seen));
  made.panes.emplace_back(gpu_sheet(seen));
  made.panes.emplace_back(audit_sheet(machine));
  if (machine.tree) {
    made.panes.emplace_back(
        text_block{.title = "Parts", .text = [tree = *machine.tree](const tui::room& space) {
                     return report::tree_text(tree, space.layout());
                   }});
  }
  made.panes.emplace_back(kept_peaks(work));
  return made;
}

}  // namespace ridge::tui
