// SPDX-License-Identifier: Apache-2.0
#include <ridge/tui/page.hpp>

#include <algorithm>

#include <ridge/base/text.hpp>
#include <ridge/tui/grid.hpp>

namespace ridge::tui {
namespace {

void escape(std::string& text) { text = one_line(text); }

void escape(report::chart_axis& axis) {
  escape(axis.label);
  escape(axis.unit);
  for (auto& word : axis.categories) escape(word);
}

report::sheet harmless_sheet(report::sheet sheet) {
  escape(sheet.title);
  for (auto& row : sheet.rows) {
    for (auto& value : row.values) {
      if (auto* const text = std::get_if<std::string>(&value)) escape(*text);
    }
    escape(row.note);
  }
  return sheet;
}

std::string pane_text(const pane& part, const tui::room& space) {
  if (const auto* const sheet = std::get_if<report::sheet>(&part))
    return report::text_of({.sheets = {harmless_sheet(*sheet)}}, space.layout());
  if (const auto* const chart = std::get_if<report::chart>(&part)) return chart_text(*chart, space);
  const auto& block = std::get<text_block>(part);
  const auto title = block.title.empty()
                         ? std::string{}
                         : report::paint(block.title, report::tone::strong, space.color) + '\n';
  return title + block.text(space);
}

}  // namespace

const std::string& title_of(const pane& part) {
  return std::visit([](const auto& one) -> const std::string& { return one.title; }, part);
}

page page_of(results::answer found) {
  page made{.schema = std::move(found.document.schema),
            .title = std::move(found.document.title),
            .notes = std::move(found.document.notes),
            .facts = std::move(found.document.facts)};
  for (auto& sheet : found.document.sheets) {
    if (!sheet.rows.empty() || !sheet.empty.empty()) made.panes.emplace_back(std::move(sheet));
  }
  for (auto& chart : found.charts) made.panes.emplace_back(std::move(chart));
  return made;
}

results::answer answer_of(const page& shown) {
  results::answer made{.document = {.schema = shown.schema, .title = shown.title, .facts = shown.facts}};
  made.document.notes = shown.notes;
  for (const auto& part : shown.panes) {
    if (const auto* const sheet = std::get_if<report::sheet>(&part)) made.document.sheets.push_back(*sheet);
    if (const auto* const chart = std::get_if<report::chart>(&part)) made.charts.push_back(*chart);
  }
  return made;
}

std::string text_of(const page& shown, const tui::room& space) {
  auto title = shown.title;
  if (!shown.context.empty()) title += " · " + shown.context;
  auto text = report::paint(one_line(title), report::tone::strong, space.color) + "\n\n";
  if (shown.head) text += shown.head(space) + '\n';
  for (const auto& part : shown.panes) {
    if (const auto one = pane_text(part, space); !one.empty())
      text += one + (one.ends_with("\n\n") ? "" : "\n");
  }
  for (const auto& note : shown.notes) text += wrap(one_line(note), space.columns, 2) + '\n';
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string chart_text(const report::chart& chart, const room& space) {
  const auto shown = harmless(chart);
  if (space.rows == 0) return report::chart_braille(shown, space.options());
  // Title, labels, axis and key take lines, too: how many, the text itself tells.
  constexpr std::size_t usual = 7, least = 6;
  auto rows = std::max(least, space.rows - std::min(space.rows, usual));
  const auto drawn = [&] {
    return report::chart_braille_within(shown,
                                        {.columns = space.columns, .rows = rows, .color = space.color});
  };
  auto text = drawn();
  if (text.empty()) return "nothing to draw yet\n";
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  if (lines <= space.rows) return text;
  // A long key is cut before the chart becomes too low to be read.
  constexpr std::size_t key_lines = 3;
  rows = std::max(least, rows - std::min({rows, lines - space.rows, key_lines}));
  text = drawn();
  const auto whole = split(std::string_view(text), '\n');
  if (whole.size() <= space.rows + 1) return text;
  std::string cut;
  for (std::size_t i = 0; i + 1 < space.rows; ++i) cut.append(whole[i]) += '\n';
  return cut + "... the key goes on; p asks for fewer workloads\n";
}

report::chart harmless(report::chart chart) {
  escape(chart.title);
  escape(chart.subtitle);
  escape(chart.x);
  escape(chart.y);
  for (auto& series : chart.series) {
    escape(series.name);
    for (auto& point : series.points) escape(point.says);
  }
  for (auto& limit : chart.limits) escape(limit.says);
  return chart;
}

}  // namespace ridge::tui
