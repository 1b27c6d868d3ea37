// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/html_page.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "embedded_file.hpp"
#include "html_findings.hpp"
#include "html_tables.hpp"
#include "markup_text.hpp"
#include "timeline_data.hpp"

namespace ridge::trace_report {
namespace {

std::string section_id(std::size_t index) { return fmt::format("section-{}", index + 1); }

std::string navigation(const html_content& content) {
  std::string html;
  for (std::size_t i = 0; i < content.sections.size(); ++i)
    html += fmt::format("<a href=\"#{}\">{}</a>\n", section_id(i), escaped(content.sections[i].title));
  return html;
}

std::string sections_html(const html_content& content) {
  std::string html;
  for (std::size_t i = 0; i < content.sections.size(); ++i) {
    const auto& s = content.sections[i];
    html += fmt::format("<section id=\"{}\"><h2>{}</h2>\n", section_id(i), escaped(s.title));
    for (std::size_t p = 0; p < s.pages.size(); ++p) {
      const auto tables = html_tables(s.pages[p]);
      html += s.pages.size() == 1 ? tables
                                  : fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                                                p == 0 ? " open" : "", escaped(s.pages[p].title), tables);
    }
    html += "</section>\n";
  }
  return html;
}

std::string count(std::uint64_t n) { return format_count(static_cast<long long>(n)); }

std::string about(const html_content& content, const html_counts& counts) {
  std::string html = fmt::format("<p class=\"note\">{} events", count(counts.events));
  if (counts.merged_below_ns > 0)
    html += fmt::format(
        ", drawn as {} boxes: neighbours shorter than {} were merged (the tables count every event)",
        count(counts.boxes), format_quantity(static_cast<double>(counts.merged_below_ns) / 1e9, "s"));
  if (counts.too_deep > 0) html += fmt::format("; {} nested too deep are not drawn", count(counts.too_deep));
  html += "</p>\n";
  if (content.notes.empty()) return html;
  html += "<details><summary>clocks</summary>\n";
  for (const auto& n : content.notes) html += fmt::format("<p class=\"note\">{}</p>\n", escaped(n, 2000));
  return html + "</details>\n";
}

}  // namespace

html_counts write_html(const html_content& content, const std::function<void(std::string_view)>& out,
                       const html_limits& limits) {
  timeline_data timeline(content.traces, limits);
  const auto put = [&](std::string_view piece) {
    if (piece == "title") out(escaped(content.title));
    if (piece == "style") out(embedded_text("trace_page.css"));
    if (piece == "common script") out(embedded_text("page_common.js"));
    if (piece == "script") out(embedded_text("trace_timeline.js"));
    if (piece == "page script") out(embedded_text("trace_page.js"));
    if (piece == "about") out(about(content, timeline.counts()));
    if (piece == "navigation") out(navigation(content));
    if (piece == "partition") out(html_partition(content));
    if (piece == "findings") out(html_findings(content, timeline.zero_ns()));
    if (piece == "sections") out(sections_html(content));
    if (piece == "timeline") timeline.write(out);
  };
  fill_in(embedded_text("trace_page.html"), put, out);
  return timeline.counts();
}

}  // namespace ridge::trace_report
