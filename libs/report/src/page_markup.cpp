// SPDX-License-Identifier: Apache-2.0
#include "page_markup.hpp"

#include <fmt/format.h>

#include <ridge/base/escape.hpp>

#include "svg_text.hpp"

namespace ridge::report {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, markup_escaped(value));
}

}  // namespace

void page_markup::element(std::string_view tag, std::string_view text, std::string_view kind,
                          std::string_view id) {
  out_ += fmt::format("<{0}{1}{2}>{3}</{0}>\n", tag, attribute("class", kind), attribute("id", id),
                      markup_escaped(text));
}

void page_markup::cell(std::string_view tag, const page_cell& cell) {
  auto text = markup_escaped(cell.text);
  if (!cell.anchor.empty()) text = fmt::format("<a href=\"#{}\">{}</a>", markup_escaped(cell.anchor), text);
  if (!cell.note.empty()) text += fmt::format("<span class=\"note\">{}</span>", markup_escaped(cell.note));
  out_ +=
      fmt::format("<{}{}>{}</{}>", tag, attribute("class", cell.kind), text, tag.substr(0, tag.find(' ')));
}

void page_markup::table(std::string_view caption, const std::vector<std::string>& headers,
                        const std::vector<std::vector<page_cell>>& rows) {
  out_ += fmt::format(
      "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table>\n"
      "<caption>{0}</caption>\n<thead><tr>",
      markup_escaped(caption));
  for (const auto& header : headers) cell("th scope=\"col\"", header);
  out_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    out_ += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) cell(i == 0 ? "th scope=\"row\"" : "td", row[i]);
    out_ += "</tr>\n";
  }
  out_ += "</tbody></table></div>\n";
}

std::string anchor_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    out += kept ? c : '-';
  }
  return out;
}

}  // namespace ridge::report
