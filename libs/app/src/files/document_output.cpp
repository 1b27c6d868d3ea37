// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/document_output.hpp>

#include <ridge/app/amounts.hpp>
#include <ridge/app/svg_to_png.hpp>

namespace ridge::app {

void add_document_output(command& command, document_output& output) {
  command.flag("--json", output.json, "Print one JSON object; names of members are stable")
      .flag("--csv", output.csv, "Print tables as CSV");
}

void add_plot_file(command& command, document_output& output) {
  command.option("--plot", output.plot, "FILE", "Draw the answer as .svg or .png")
      .checked([](const std::string& path) {
        return path.ends_with(".svg") || path.ends_with(".png") ? "" : path + " is not an .svg or .png file";
      });
}

std::string complaint_about_formats(const document_output& output) {
  return output.json && output.csv ? "--json and --csv are both given" : "";
}

void save_charts(const context& program, const document_output& output,
                 std::span<const report::chart> charts) {
  if (output.plot.empty()) return;
  const auto svg = charts.size() == 1 ? report::chart_svg(charts.front())
                                      : report::charts_svg({charts.begin(), charts.end()});
  if (svg.empty()) return program.tell("nothing to draw: " + output.plot + " is not written\n");
  if (output.plot.ends_with(".svg"))
    save_text(output.plot, svg);
  else
    save_png(svg, output.plot);
  program.tell("wrote " + output.plot + '\n');
}

}  // namespace ridge::app
