// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

// Returns "$0.0356", "$0.500", "$3.50" or "$1 234 567".
std::string dollars_text(double v) {
  const auto size = std::fabs(v);
  const auto* sign = v < 0 ? "-" : "";
  if (size >= 1000) return fmt::format("{}${}", sign, format_grouped(std::llround(size)));
  if (size >= 1 || size == 0) return fmt::format("{}${:.2f}", sign, size);
  return fmt::format("{}${}", sign, format_quantity(size, ""));
}

std::string number_text(double v, unit kind) {
  if (std::isnan(v)) return "-";
  switch (kind) {
    case unit::nanoseconds:
      return v == 0 ? "0" : format_quantity(v / 1e9, "s");
    case unit::bytes:
      return format_quantity(v, "B");
    case unit::bytes_per_s:
      return format_quantity(v, "B/s");
    case unit::flop:
      return format_quantity(v, "FLOP");
    case unit::flop_per_s:
      return format_quantity(v, "FLOP/s");
    case unit::percent:
      return fmt::format("{:.2f} %", v);
    case unit::seconds:
      return v == 0 ? "0" : format_quantity(v, "s");
    case unit::dollars:
      return dollars_text(v);
    case unit::watts:
      return format_quantity(v, "W");
    case unit::joules:
      return format_quantity(v, "J");
    case unit::rate:
      return format_quantity(v, "/s");
    case unit::long_number:
      return fmt::format("{:.6g}", v);
    default:
      return fmt::format("{:.4g}", v);
  }
}

std::string whole_text(std::int64_t v, unit kind) {
  if (kind == unit::text) return std::to_string(v);
  return kind == unit::count ? format_count(v) : number_text(static_cast<double>(v), kind);
}

align side_of(unit kind) { return kind == unit::text ? align::left : align::right; }

std::string table_text(const sheet& s, const layout& layout) {
  std::vector<column> columns;
  for (const auto& f : s.fields) {
    if (!f.header.empty()) columns.push_back({f.header, side_of(f.unit)});
  }
  table table(std::move(columns));
  for (const auto& r : s.rows) {
    std::vector<cell> cells;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      if (!s.fields[i].header.empty()) cells.emplace_back(shown(r.values.at(i), s.fields[i].unit), r.look);
    }
    table.row(std::move(cells));
    if (!r.note.empty()) table.note(r.note);
  }
  return table.text(layout);
}

std::string lines_text(const sheet& s, const layout& layout) {
  table table({{""}, {""}});
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    const auto text = shown(s.rows.front().values.at(i), s.fields[i].unit);
    if (!s.fields[i].header.empty() && !text.empty()) table.row({s.fields[i].header, text});
  }
  return table.text(layout);
}

std::string notes_text(const std::vector<std::string>& notes, const layout& layout) {
  std::string text;
  for (const auto& n : notes) text += wrap(n, layout.columns, 2) + '\n';
  return text;
}

// Wraps each line of a paragraph after its own indent.
std::string prose_text(const std::string& paragraph, const layout& layout) {
  std::string text;
  for (const auto line : split(paragraph, '\n')) {
    const auto indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos) continue;
    text += std::string(indent, ' ') + wrap(line.substr(indent), layout.columns, indent + 2) + '\n';
  }
  return text;
}

bool has_columns(const sheet& s) {
  return std::ranges::any_of(s.fields, [](const field& f) { return !f.header.empty(); });
}

std::string sheet_text(const sheet& s, const layout& layout) {
  if ((s.rows.empty() && s.empty.empty()) || (!has_columns(s) && s.prose.empty())) return {};
  std::string text = s.title.empty() ? "" : paint(s.title, tone::strong, layout.color) + '\n';
  auto inner = layout;
  inner.indent = 2;
  if (!s.prose.empty()) {
    for (const auto& p : s.prose) text += prose_text(p, layout) + (s.spaced ? "\n" : "");
    return s.spaced ? text : text + '\n';
  }
  if (s.rows.empty())
    text += "  " + wrap(s.empty, layout.columns, 2) + '\n';
  else
    text += s.single ? lines_text(s, inner) : table_text(s, inner);
  return text + notes_text(s.notes, layout) + '\n';
}

}  // namespace

std::string shown(const value& v, unit kind) {
  if (const auto* whole = std::get_if<std::int64_t>(&v)) return whole_text(*whole, kind);
  if (const auto* number = std::get_if<double>(&v)) return number_text(*number, kind);
  if (const auto* text = std::get_if<std::string>(&v)) return *text;
  if (const auto* flag = std::get_if<bool>(&v)) return *flag ? "yes" : "no";
  return {};
}

std::string text_of(const document& d, const layout& layout) {
  std::string text;
  if (!d.title.empty()) text = paint(wrap(d.title, layout.columns, 2), tone::strong, layout.color) + "\n\n";
  for (const auto& s : d.sheets) text += sheet_text(s, layout);
  text += notes_text(d.notes, layout);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace ridge::report
