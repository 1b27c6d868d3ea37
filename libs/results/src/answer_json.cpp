// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <ridge/model/json_writer.hpp>
#include <ridge/results/analysis.hpp>

namespace ridge::results {
namespace {

using model::json_writer;

std::string_view name_of(report::unit unit) {
  using enum report::unit;
  switch (unit) {
    case text:
      return "text";
    case count:
      return "count";
    case nanoseconds:
      return "ns";
    case seconds:
      return "s";
    case bytes:
      return "B";
    case bytes_per_s:
      return "B/s";
    case flop:
      return "FLOP";
    case flop_per_s:
      return "FLOP/s";
    case percent:
      return "%";
    case dollars:
      return "USD";
    case watts:
      return "W";
    case joules:
      return "J";
    case rate:
      return "/s";
    case number:
    case long_number:
      return "1";
  }
  return "";
}

std::string_view name_of(report::chart_mark mark) {
  using enum report::chart_mark;
  switch (mark) {
    case line:
      return "line";
    case dashed:
      return "dashed";
    case points:
      return "points";
    case steps:
      return "steps";
    case outline:
      return "outline";
  }
  return "";
}

void write_texts(json_writer& w, std::string_view key, const std::vector<std::string>& texts) {
  w.key(key).begin_array();
  for (const auto& text : texts) w.value(text);
  w.end_array();
}

void write_numbers(json_writer& w, std::string_view key, const std::vector<double>& numbers) {
  w.key(key).begin_array(true);
  for (const double number : numbers) w.value(number);
  w.end_array();
}

void write_sheet(json_writer& w, const report::sheet& s) {
  w.begin_object()
      .field("key", s.key)
      .field("title", s.title)
      .field("single", s.single)
      .field("grouped_by", static_cast<std::int64_t>(s.grouped_by))
      .field("empty", s.empty);
  write_texts(w, "notes", s.notes);
  w.key("fields").begin_array();
  for (const auto& f : s.fields)
    w.begin_object()
        .field("key", f.key)
        .field("header", f.header)
        .field("unit", name_of(f.unit))
        .end_object();
  w.end_array();
  // The look of each row: what the terminal shows by colour, pages show by a mark.
  w.key("tones").begin_array(true);
  for (const auto& r : s.rows) w.value(static_cast<int>(r.look));
  w.end_array().end_object();
}

void write_axis(json_writer& w, std::string_view key, const report::chart_axis& axis) {
  w.key(key).begin_object();
  w.field("label", axis.label).field("unit", axis.unit);
  w.field("scale", axis.scale == report::chart_scale::logarithmic ? "logarithmic" : "linear");
  write_texts(w, "categories", axis.categories);
  w.end_object();
}

void write_chart(json_writer& w, const report::chart& c) {
  w.begin_object().field("title", c.title).field("subtitle", c.subtitle);
  write_axis(w, "x", c.x);
  write_axis(w, "y", c.y);
  w.key("series").begin_array();
  for (const auto& s : c.series) {
    w.begin_object().field("name", s.name).field("mark", name_of(s.mark));
    w.field("key", s.key == report::chart_series::own_key ? -1 : static_cast<std::int64_t>(s.key));
    w.key("x").begin_array(true);
    for (const auto& p : s.points) w.value(p.x);
    w.end_array().key("y").begin_array(true);
    for (const auto& p : s.points) w.value(p.y);
    w.end_array().key("says").begin_array();
    for (const auto& p : s.points) w.value(p.says);
    w.end_array();
    write_numbers(w, "low", s.low);
    write_numbers(w, "high", s.high);
    w.end_object();
  }
  w.end_array().key("limits").begin_array();
  for (const auto& l : c.limits) w.begin_object().field("value", l.value).field("says", l.says).end_object();
  w.end_array().end_object();
}

}  // namespace

std::string answer_json(const answer& found) {
  json_writer w;
  w.begin_object().field("title", found.document.title);
  w.key("layout").begin_array();
  for (const auto& s : found.document.sheets) write_sheet(w, s);
  w.end_array().key("charts").begin_array();
  for (const auto& c : found.charts) write_chart(w, c);
  w.end_array().end_object();
  // One object: the members of the document follow those that only pages read.
  auto text = std::move(w).take();
  const auto document = report::json_of(found.document);
  text.back() = ',';
  return text + document.substr(document.find('{') + 1);
}

}  // namespace ridge::results
