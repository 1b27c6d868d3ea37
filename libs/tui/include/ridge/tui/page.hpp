// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>
#include <ridge/results/analysis.hpp>

namespace ridge::tui {

// The room that a part of a page has.
struct room {
  std::size_t columns = 100;
  std::size_t rows = 0;  // 0: as many as it takes
  bool color = false;    // whether the codes of report::paint are wanted
  // Return the same for functions of report.
  [[nodiscard]] report::options options() const { return {.columns = columns, .color = color}; }
  [[nodiscard]] report::layout layout() const { return {.columns = columns, .color = color}; }
};

// Text that is laid out for the room that it gets; its tones are the codes of report::paint.
struct text_block {
  std::string title{};
  std::function<std::string(const tui::room& space)> text{};
};

// A part of a page that is shown at once: a table that can be sorted and filtered, a chart, or text.
using pane = std::variant<report::sheet, report::chart, text_block>;

// Returns the title of a pane.
[[nodiscard]] const std::string& title_of(const pane& part);

// What a screen shows. A terminal, a plain text and JSON are made from the same page.
struct page {
  std::string schema{};   // "ridge.tui.results/1", or that of the analysis
  std::string title{};    // "Results"
  std::string context{};  // what it shows just now: "12 workloads"; one line
  std::function<std::string(const tui::room& space)> head{};  // lines above all panes; may be empty
  std::vector<pane> panes{};
  std::vector<std::string> notes{};
  std::vector<std::pair<std::string, report::value>> facts{};
};

// Returns the page of what an analysis found.
[[nodiscard]] page page_of(results::answer found);

// Returns the tables and charts of a page; text is left out.
[[nodiscard]] results::answer answer_of(const page& shown);

// Returns the whole page as plain text, every row of every table.
[[nodiscard]] std::string text_of(const page& shown, const tui::room& space);

// Returns a chart in braille that fits the room.
[[nodiscard]] std::string chart_text(const report::chart& chart, const room& space);

// Returns the chart with control characters and escape sequences of its texts shown as \xNN: names come from
// stores and files.
[[nodiscard]] report::chart harmless(report::chart chart);

}  // namespace ridge::tui
