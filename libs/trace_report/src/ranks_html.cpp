// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/ranks_html.hpp>

#include <map>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/trace_report/pages.hpp>

#include "embedded_file.hpp"
#include "html_tables.hpp"
#include "markup_text.hpp"
#include "page_parts.hpp"
#include "partition_bar.hpp"

namespace ridge::trace_report {
namespace {

using trace::fleet_measure;
using trace::surveyed_rank;

// A column of times per step that ranks are compared by.
struct measured_column {
  const char* header;
  fleet_measure measure;
};
constexpr measured_column measured_columns[] = {{"a step", fleet_measure::step},
                                                {"its own", fleet_measure::own_time},
                                                {"compute", fleet_measure::compute},
                                                {"exposed comm", fleet_measure::exposed_communication},
                                                {"exposed copies", fleet_measure::exposed_copies},
                                                {"idle", fleet_measure::idle}};

class ranks_table {
 public:
  explicit ranks_table(const ranks_html_content& content) : content_(content) {
    for (const auto& o : content.survey.fleet.outliers) {
      if (o.measure != fleet_measure::clock) stands_out_[{o.member, o.measure}] = o.robust_z;
    }
  }

  void write(const std::function<void(std::string_view)>& out) const {
    out(
        fmt::format("<div class=\"scroll\"><table class=\"sorts\" id=\"ranks\" data-files=\"{}\"><thead><tr>"
                    "<th>rank</th><th>node</th><th class=\"n\">steps</th><th>states</th>",
                    escaped(join(content_.files, " "), longest_command)));
    for (const auto& c : measured_columns) out(fmt::format("<th class=\"n\" data-m>{}</th>", c.header));
    out("<th class=\"n\" data-m>waited</th><th class=\"n\" data-m>made others wait</th>"
        "<th class=\"n\">stands out in</th></tr></thead><tbody>\n");
    for (std::uint32_t i = 0; i < content_.survey.ranks.size(); ++i) out(row_html(i));
    out("</tbody></table></div>\n");
  }

 private:
  static constexpr std::size_t longest_command = 4000;

  [[nodiscard]] std::string row_html(std::uint32_t index) const {
    const auto& rank = content_.survey.ranks[index];
    const auto& who = rank.member.who;
    std::int64_t measures = 0;
    std::string cells;
    for (const auto& c : measured_columns) {
      const auto at = stands_out_.find({index, c.measure});
      measures += at == stands_out_.end() ? 0 : 1;
      cells += html_cell(value_or_blank(rank.member.value(c.measure)), unit::nanoseconds, mark(at));
    }
    return fmt::format("<tr data-label=\"{}\" data-number=\"{}\" data-path=\"{}\"{}>", escaped(who.label),
                       who.rank, escaped(rank.path, longest_command), measures > 0 ? " class=\"out\"" : "") +
           name_cell(who) + html_cell(rank.node, unit::text) + html_cell(rank.member.steps, unit::count) +
           fmt::format("<td>{}</td>", partition_bar(rank.member.times)) + cells +
           html_cell(value_or_blank(rank.waited_ns), unit::nanoseconds) +
           html_cell(value_or_blank(rank.kept_others_ns), unit::nanoseconds) +
           html_cell(measures, unit::count) + "</tr>\n";
  }

  [[nodiscard]] std::string name_cell(const trace::participant& who) const {
    const auto page = who.trace < content_.pages.size() ? content_.pages[who.trace] : std::string();
    if (page.empty()) return html_cell(who.label, unit::text);
    return fmt::format("<td><a href=\"{}\">{}</a></td>", escaped(page), escaped(who.label));
  }

  using marks = std::map<std::pair<std::uint32_t, fleet_measure>, double>;

  [[nodiscard]] std::string mark(marks::const_iterator at) const {
    return at == stands_out_.end()
               ? ""
               : fmt::format("data-z=\"{:.1f}\" title=\"robust z {:.1f}\"", at->second, at->second);
  }

  const ranks_html_content& content_;
  marks stands_out_{};
};

std::string verdict(const document& beside) {
  std::string html;
  for (const auto& note : beside.notes)
    html += fmt::format("<p class=\"verdict\">{}</p>\n", escaped(note, 2000));
  return html;
}

}  // namespace

void write_ranks_html(const ranks_html_content& content, const std::function<void(std::string_view)>& out,
                      std::size_t most_pairs) {
  auto beside = beside_ranks_page(content.survey, most_pairs);
  const auto said = verdict(beside);
  beside.notes.clear();
  const auto put = [&](std::string_view piece) {
    if (piece == "title") out(escaped(content.title));
    if (piece == "style") out(embedded_text("trace_page.css"));
    if (piece == "ranks style") out(embedded_text("ranks_page.css"));
    if (piece == "common script") out(embedded_text("page_common.js"));
    if (piece == "page script") out(embedded_text("ranks_page.js"));
    if (piece == "verdict") out(said);
    if (piece == "legend") out(partition_legend());
    if (piece == "ranks") ranks_table(content).write(out);
    if (piece == "tables") out(html_tables(beside));
  };
  fill_in(embedded_text("ranks_page.html"), put, out);
}

}  // namespace ridge::trace_report
