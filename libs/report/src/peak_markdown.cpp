// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/report/peaks.hpp>

#include "markdown_text.hpp"
#include "peak_row.hpp"

namespace ridge::report {
namespace {

std::string_view part_of(std::string_view id) { return id.substr(0, id.find('.')); }

std::string head() {
  return markdown_row({"row", "how", "value", "of issue limit", "of specification", "clock", "power"}) +
         markdown_rule(7, 2);
}

std::string line(const model::ceiling& row) {
  const peak_row w(row);
  const auto how = w.low.empty() ? w.method : w.method + (w.method.empty() ? "" : "; ") + w.low;
  return markdown_row(
      {markdown_code_cell(w.name), markdown_escaped(how), w.value, w.of_issue, w.of_spec, w.clock, w.power});
}

}  // namespace

std::string peak_markdown(const model::peak_report& report) {
  auto text = fmt::format("{}, {} ({}), {}, {} rows in {:.0f} s.\n", report.environment.machine,
                          report.peak.measured_at, report.depth, report.environment.build,
                          report.peak.ceilings.size(), report.wall_s);
  std::string_view part;
  for (const auto& row : report.peak.ceilings) {
    if (part_of(row.id) != part) {
      part = part_of(row.id);
      text += "\n" + head();
    }
    text += line(row);
  }
  return text;
}

}  // namespace ridge::report
