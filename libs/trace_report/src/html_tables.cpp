// SPDX-License-Identifier: Apache-2.0
#include "html_tables.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "markup_text.hpp"

namespace ridge::trace_report {
namespace {

std::string_view class_of(report::tone t) {
  if (t == report::tone::doubtful) return " class=\"doubtful\"";
  if (t == report::tone::dim) return " class=\"dim\"";
  return t == report::tone::strong ? " class=\"strong\"" : "";
}

// Returns what a column is sorted by; "" for texts.
std::string sort_key(const value& v) {
  if (const auto* whole = std::get_if<std::int64_t>(&v)) return fmt::format(" data-v=\"{}\"", *whole);
  if (const auto* number = std::get_if<double>(&v); number != nullptr && std::isfinite(*number))
    return fmt::format(" data-v=\"{}\"", *number);
  return "";
}

std::string heading(const sheet& s) {
  return s.title.empty() ? "" : fmt::format("<h3>{}</h3>\n", escaped(s.title));
}

std::string row_html(const sheet& s, const row& r) {
  std::string html = fmt::format("<tr{}>", class_of(r.look));
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (!s.fields[i].header.empty()) html += html_cell(r.values.at(i), s.fields[i].unit);
  }
  return html + "</tr>\n";
}

std::string table(const sheet& s) {
  std::string html = "<div class=\"scroll\"><table class=\"sorts\"><thead><tr>";
  for (const auto& f : s.fields) {
    if (!f.header.empty())
      html += fmt::format("<th{}>{}</th>", f.unit == unit::text ? "" : " class=\"n\"", escaped(f.header));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& r : s.rows) html += row_html(s, r);
  return html + "</tbody></table></div>\n";
}

std::string one_object(const sheet& s) {
  std::string html = "<div class=\"scroll\"><table class=\"facts\"><tbody>\n";
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    const auto& v = s.rows.front().values.at(i);
    if (s.fields[i].header.empty() || std::holds_alternative<std::monostate>(v)) continue;
    html +=
        fmt::format("<tr><th>{}</th>{}</tr>\n", escaped(s.fields[i].header), html_cell(v, s.fields[i].unit));
  }
  return html + "</tbody></table></div>\n";
}

std::string notes_html(const std::vector<std::string>& notes) {
  std::string html;
  for (const auto& n : notes) html += fmt::format("<p class=\"note\">{}</p>\n", escaped(n, 2000));
  return html;
}

std::string sheet_html(const sheet& s) {
  const bool has_columns = std::ranges::any_of(s.fields, [](const field& f) { return !f.header.empty(); });
  if (!has_columns || (s.rows.empty() && s.empty.empty())) return "";
  if (s.rows.empty()) return heading(s) + fmt::format("<p class=\"note\">{}</p>\n", escaped(s.empty, 2000));
  return heading(s) + (s.single ? one_object(s) : table(s)) + notes_html(s.notes);
}

}  // namespace

std::string html_cell(const value& v, unit measure, std::string_view attributes) {
  return fmt::format("<td{}{}{}{}>{}</td>", measure == unit::text ? "" : " class=\"n\"", sort_key(v),
                     attributes.empty() ? "" : " ", attributes, escaped(shown(v, measure)));
}

std::string html_tables(const document& d) {
  std::string html;
  for (const auto& s : d.sheets) html += sheet_html(s);
  return html + notes_html(d.notes);
}

}  // namespace ridge::trace_report
