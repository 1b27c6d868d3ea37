// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>
#include <ridge/report/chart.hpp>

namespace ridge::app {

// How a command prints documents and draws their charts.
struct document_output {
  bool json = false, csv = false;
  std::string plot{};  // FILE.svg or FILE.png; empty: charts are not drawn
};

// Adds --json and --csv.
void add_document_output(command& command, document_output& output);
// Adds --plot, for documents that have charts.
void add_plot_file(command& command, document_output& output);

// Returns a complaint where both --json and --csv are given; an empty text when the choice is right.
[[nodiscard]] std::string complaint_about_formats(const document_output& output);

// Draws the charts below each other in the file that --plot names, and says so on stderr; does nothing
// without --plot. Throws io_failure, and what save_png throws.
void save_charts(const context& program, const document_output& output,
                 std::span<const report::chart> charts);

}  // namespace ridge::app
