// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

// Returns "$2.20e-08", "$0.0356", "$0.500", "$3.50" or "$1 234 567".
std::string dollars_text(double v) {
  const auto size = std::fabs(v);
  const auto* sign = v < 0 ? "-" : "";
  if (size >= 1000) return fmt::format("{}${}", sign, format_grouped(std::llround(size)));
  if (size >= 1 || size == 0) return fmt::format("{}${:.2f}", sign, size);
  if (size < 1e-4) return fmt::format("{}${:.2e}", sign, size);
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
      return std::fabs(v) >= 10'000 && std::fabs(v) < 1e15 ? format_grouped(std::llround(v))
                                                           : fmt::format("{:.4g}", v);
  }
}

std::string whole_text(std::int64_t v, unit kind) {
  if (kind == unit::text) return std::to_string(v);
  return kind == unit::count ? format_count(v) : number_text(static_cast<double>(v), kind);
}

align side_of(unit kind) { return kind == unit::text ? align::left : align::right; }

// What a table shows of a cell. Of the id of a run it is the end, by which every command knows the run: whole
// ids would take the room of the names of variants.
std::string cell_of_table(const sheet& s, const row& r, std::size_t i) {
  constexpr std::size_t whole_id = 26, end_of_id = 8;
  auto text = shown(r.values.at(i), s.fields[i].unit);
  const bool is_run = s.fields[i].key == "run" && text.size() == whole_id;
  return is_run ? text.substr(whole_id - end_of_id) : text;
}

// The widest text of a field; 0 where all are empty.
std::size_t widest_of(const sheet& s, std::size_t field) {
  std::size_t widest = 0;
  for (const auto& r : s.rows) widest = std::max(widest, display_width(cell_of_table(s, r, field)));
  return widest;
}

// The columns that a line without field `left_out` takes, gaps before each field included.
std::size_t columns_without(const sheet& s, std::size_t left_out, const layout& layout) {
  constexpr std::size_t gap = 2;
  std::size_t all = layout.indent;
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (i == left_out || s.fields[i].header.empty()) continue;
    if (const auto widest = widest_of(s, i); widest > 0)
      all += std::max(widest, display_width(s.fields[i].header)) + gap;
  }
  return all;
}

// Hides the last columns until a field that can be made to fit has room to be read; returns their headers.
std::vector<std::string> hide_last_columns(sheet& s, std::size_t fitted, const layout& layout) {
  constexpr std::size_t least_shown = 5;
  const auto legible = std::min<std::size_t>(36, widest_of(s, fitted));
  std::vector<std::string> hidden;
  const auto is_shown = [&](std::size_t i) { return !s.fields[i].header.empty() && widest_of(s, i) > 0; };
  std::size_t shown_fields = 0;
  for (std::size_t i = 0; i < s.fields.size(); ++i) shown_fields += is_shown(i);
  for (auto i = s.fields.size(); i-- > 0 && shown_fields > least_shown;) {
    if (columns_without(s, fitted, layout) + legible <= layout.columns) break;
    if (i == fitted || !is_shown(i)) continue;
    hidden.insert(hidden.begin(), std::exchange(s.fields[i].header, ""));
    --shown_fields;
  }
  return hidden;
}

// Returns the last shown field where it holds longer texts than its column has room for, so that they are
// better read below their rows; the count of fields where it has room.
std::size_t field_below_rows(const sheet& s, const layout& layout) {
  constexpr std::size_t least_room = 28;
  auto last = s.fields.size();
  while (last > 0 && (s.fields[last - 1].header.empty() || widest_of(s, last - 1) == 0)) --last;
  if (last < 2 || s.fields[last - 1].unit != unit::text || s.fields[last - 1].fit) return s.fields.size();
  const auto others = columns_without(s, last - 1, layout);
  const auto room = layout.columns - std::min(layout.columns, others);
  const auto wanted = std::min(least_room, widest_of(s, last - 1));
  return room < wanted ? last - 1 : s.fields.size();
}

// Makes the texts of such a field fit.
void fit_texts(sheet& s, std::size_t field, const layout& layout) {
  constexpr std::size_t least = 24;
  std::vector<std::string> texts;
  for (const auto& r : s.rows) texts.push_back(shown(r.values.at(field), s.fields[field].unit));
  const auto others = columns_without(s, field, layout);
  const auto fit =
      s.fields[field].fit(texts, std::max(least, layout.columns - std::min(layout.columns, others)));
  for (std::size_t r = 0; r < s.rows.size(); ++r) s.rows[r].values.at(field) = fit.at(r);
}

// What the first fields of a row say, where rows are grouped by them.
std::string heading_of(const sheet& s, const row& r) {
  std::string text;
  for (std::size_t i = 0; i < s.grouped_by; ++i) {
    if (s.fields[i].header.empty()) continue;
    const auto word = shown(r.values.at(i), s.fields[i].unit);
    if (!word.empty()) text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

std::string table_text(const sheet& whole, const layout& layout) {
  auto s = whole;
  for (std::size_t i = 0; i < s.grouped_by; ++i) s.fields[i].header.clear();
  std::vector<std::string> hidden;
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (!s.fields[i].fit) continue;
    hidden = hide_last_columns(s, i, layout);
    fit_texts(s, i, layout);
  }
  const auto below = field_below_rows(s, layout);
  const auto name_below = below < s.fields.size() ? std::exchange(s.fields[below].header, "") : std::string();
  std::vector<column> columns;
  for (const auto& f : s.fields) {
    if (!f.header.empty()) columns.push_back({f.header, side_of(f.unit)});
  }
  table table(std::move(columns));
  std::string heading;
  for (const auto& r : s.rows) {
    if (auto next = heading_of(whole, r); next != heading) table.heading(heading = std::move(next));
    std::vector<cell> cells;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      if (!s.fields[i].header.empty()) cells.emplace_back(cell_of_table(s, r, i), r.look);
    }
    table.row(std::move(cells));
    if (below < s.fields.size()) {
      if (const auto text = cell_of_table(s, r, below); !text.empty()) table.note(name_below + ": " + text);
    }
    if (!r.note.empty()) table.note(r.note);
  }
  if (!hidden.empty())
    table.note(fmt::format("left out, for lack of room: {}; a wider terminal or COLUMNS=160 shows them",
                           join(hidden, ", ")),
               0);
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

// Longer lines of prose are hard to read, however wide the screen is.
std::size_t prose_columns(const layout& layout) { return std::min<std::size_t>(layout.columns, 120); }

std::string notes_text(const std::vector<std::string>& notes, const layout& layout) {
  std::string text;
  for (const auto& n : notes) text += wrap(n, prose_columns(layout), 2) + '\n';
  return text;
}

// Wraps each line of a paragraph after its own indent.
std::string prose_text(const std::string& paragraph, const layout& layout) {
  std::string text;
  for (const auto line : split(paragraph, '\n')) {
    const auto indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos) continue;
    text += std::string(indent, ' ') + wrap(line.substr(indent), prose_columns(layout), indent + 2) + '\n';
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
