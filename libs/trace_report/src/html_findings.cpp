// SPDX-License-Identifier: Apache-2.0
#include "html_findings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "markup_text.hpp"
#include "page_parts.hpp"
#include "partition_bar.hpp"

namespace ridge::trace_report {
namespace {

constexpr std::size_t longest_text = 4000;

std::string paragraph(std::string_view style, std::string_view text) {
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", style, escaped(text, longest_text));
}

std::string saving(const trace::finding& f) {
  if (f.saves_ns <= 0) return "";
  return fmt::format("<span class=\"saves\">up to {}{}, {:.1f} %</span>",
                     seconds_text(f.saves_per_step_ns.value_or(f.saves_ns)),
                     f.saves_per_step_ns ? " per step" : "", 100 * f.share);
}

std::string evidence_value(const trace::evidence_row& e) {
  if (e.unit == "ns") return seconds_text(static_cast<trace::nanoseconds>(e.value));
  return format_quantity(e.value, e.unit);
}

std::string evidence_html(const trace::evidence_row& e, const html_content& content,
                          trace::nanoseconds zero) {
  std::string html = fmt::format("<li>{}: <b>{}</b>", escaped(e.description), escaped(evidence_value(e)));
  if (e.range && e.trace < content.traces.size()) {
    const auto& clock = content.traces[e.trace].placed.clock;
    html += fmt::format(" <button class=\"show\" data-a=\"{}\" data-b=\"{}\">show</button>",
                        clock.to_common(e.range->start_ns) - zero, clock.to_common(e.range->end_ns) - zero);
  }
  return html + "</li>\n";
}

std::string card(const trace::finding& f, std::size_t rank, const html_content& content,
                 trace::nanoseconds zero) {
  std::string html = fmt::format(
      "<article class=\"finding{}\" id=\"finding-{}\" data-rank=\"{}\"><h3><span class=\"rank\">{}</span> {} "
      "<span class=\"rule\">{}</span>{}</h3>\n",
      f.alarm ? "" : " calm", rank, rank, rank, escaped(f.title), escaped(f.rule), saving(f));
  html += paragraph("subject", f.subject.empty() ? "" : short_name(f.subject, 160));
  html += paragraph("text", f.text) + paragraph("advice", f.advice);
  const auto next = command_with_files(f.next, content.files);
  if (!next.empty()) html += fmt::format("<pre class=\"next\">{}</pre>\n", escaped(next, longest_text));
  html += fmt::format("<details><summary>evidence; confidence {} ({:.2f})</summary><ul>\n",
                      escaped(name(f.grade)), f.confidence);
  for (const auto& e : f.evidence) html += evidence_html(e, content, zero);
  if (!f.experiments.empty()) html += fmt::format("<li>learn: {}</li>\n", escaped(join(f.experiments, ", ")));
  if (!f.source.empty()) html += fmt::format("<li>source: {}</li>\n", escaped(f.source));
  return html + "</ul></details></article>\n";
}

std::string abstentions_html(const trace::diagnosis& d) {
  if (d.abstentions.empty()) return "";
  std::string html =
      fmt::format("<details class=\"abstentions\"><summary>{} rules could not look</summary><ul>\n",
                  d.abstentions.size());
  for (const auto& a : d.abstentions)
    html += fmt::format("<li><span class=\"rule\">{}</span> {} <span class=\"note\">{}</span></li>\n",
                        escaped(a.rule), escaped(a.missing), escaped(a.get));
  return html + "</ul></details>\n";
}

}  // namespace

std::string html_findings(const html_content& content, trace::nanoseconds zero_ns) {
  if (!content.found) return "";
  const auto& d = *content.found;
  auto html = fmt::format("<p class=\"verdict {}\"><b>{}</b> {}</p>\n", escaped(name(d.verdict)),
                          escaped(name(d.verdict)), escaped(d.why, longest_text));
  std::size_t rank = 0;
  for (const auto& f : d.findings) html += card(f, ++rank, content, zero_ns);
  if (!d.doubts.empty()) html += "<h3 class=\"doubts\">How far this trace can be believed</h3>\n";
  for (const auto& f : d.doubts) html += card(f, ++rank, content, zero_ns);
  return html + abstentions_html(d);
}

std::string html_partition(const html_content& content) {
  std::string html;
  for (const auto& in : content.traces) {
    const auto& t = *in.shown.source;
    for (const auto& p : trace::partition_devices(t, in.shown.classes, in.shown.window)) {
      const auto name = device_name(t, p.device);
      html += fmt::format(
          "<div class=\"device\"><span class=\"who\">{}</span>{}<span class=\"window\">{}</span></div>\n",
          escaped(fmt::format("{}{}GPU {}{}", in.placed.label, in.placed.label.empty() ? "" : ", ", p.device,
                              name.empty() ? "" : " " + name)),
          partition_bar(p), seconds_text(p.window.length_ns()));
    }
  }
  if (html.empty()) return "";
  return html + partition_legend();
}

}  // namespace ridge::trace_report
