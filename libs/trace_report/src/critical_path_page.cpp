// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <ridge/trace/critical_path.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::optional<trace::path_class> class_named(std::string_view wanted) {
  for (int c = 0; c < trace::path_class_count; ++c) {
    auto known = std::string(name(static_cast<trace::path_class>(c)));
    std::ranges::replace(known, ' ', '-');
    std::ranges::replace(known, '_', '-');
    if (known == wanted) return static_cast<trace::path_class>(c);
  }
  return std::nullopt;
}

error wrong_change(const std::string& text, std::string_view reason) {
  return {fmt::format("--what-if {}: {}", text, reason),
          "write a class of the path and a factor, compute=0.5 or launch-delay=0, or kernel:NAME=0.8"};
}

result<trace::path_change> change_of(const trace::trace& t, const std::string& text) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos) return wrong_change(text, "no factor");
  double factor = 0;
  const auto [end, code] = std::from_chars(text.data() + equals + 1, text.data() + text.size(), factor);
  if (code != std::errc{} || end != text.data() + text.size() || !(factor >= 0 && factor <= 1000))
    return wrong_change(text, "the factor is not a number from 0 to 1000");
  trace::path_change change{.per_mille = static_cast<int>(std::lround(factor * 1000))};
  const auto what = text.substr(0, equals);
  if (what.starts_with("kernel:")) {
    const auto id = t.names.find(what.substr(7));
    if (!id) return wrong_change(text, "the trace has no work of that name");
    change.work_named = *id;
  } else {
    change.piece_class = class_named(what);
    if (!change.piece_class) return wrong_change(text, "\"" + what + "\" is not a class of the path");
  }
  return change;
}

sheet classes_sheet(const trace::critical_path& path) {
  sheet made{
      .key = "classes",
      .title = "What the critical path was spent on",
      .fields = {
          {"class", "class"}, {"ns", "time", unit::nanoseconds}, {"pct", "of the window", unit::percent}}};
  std::vector<int> order;
  for (int c = 0; c < trace::path_class_count; ++c) order.push_back(c);
  const auto total = [&](int c) { return path.total(static_cast<trace::path_class>(c)); };
  std::ranges::stable_sort(order, std::greater{}, total);
  for (const int c : order) {
    if (total(c) == 0) continue;
    made.rows.push_back({.values = {std::string(name(static_cast<trace::path_class>(c))), total(c),
                                    percent_of(static_cast<double>(total(c)),
                                               static_cast<double>(path.window.length_ns()))}});
  }
  return made;
}

// The time on the path, summed by class and name.
sheet path_parts_sheet(const scope& s, const trace::critical_path& path) {
  sheet made{.key = "parts",
             .title = "The longest parts of the path",
             .fields = {{"class", "class"},
                        name_field(s.full_names),
                        {"short_name", ""},
                        {"count", "times", unit::count},
                        {"ns", "time", unit::nanoseconds},
                        {"pct", "of the window", unit::percent}}};
  struct part {
    std::uint64_t count = 0;
    trace::nanoseconds ns = 0;
  };
  std::map<std::pair<int, trace::name_id>, part> parts;
  for (const auto& segment : path.segments) {
    auto& p = parts[{static_cast<int>(segment.is),
                     segment.event == trace::none ? 0 : s.source->events.name[segment.event]}];
    ++p.count;
    p.ns += segment.range.length_ns();
  }
  std::vector<std::pair<std::pair<int, trace::name_id>, part>> order(parts.begin(), parts.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& p) { return p.second.ns; });
  const auto rows = shown_rows(order.size(), s.rows, made);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& [key, p] = order[i];
    const auto text = s.source->names[key.second];
    made.rows.push_back(
        {.values = {std::string(name(static_cast<trace::path_class>(key.first))), std::string(text),
                    std::string(), whole(p.count), p.ns,
                    percent_of(static_cast<double>(p.ns), static_cast<double>(path.window.length_ns()))}});
  }
  give_short_names(made);
  return made;
}

}  // namespace

result<document> critical_path_page(const scope& s, std::span<const std::string> changes) {
  auto d = page_about(s, "critical_path");
  const trace::path_graph graph(*s.source, s.classes, {.window = s.window});
  const auto path = graph.path();
  d.facts.emplace_back("window_ns", path.window.length_ns());
  d.facts.emplace_back("bound_by", std::string(name(bound_of(path).first)));
  d.title += fmt::format(": bound by {}", name(bound_of(path).first));
  d.sheets = {classes_sheet(path), path_parts_sheet(s, path)};
  sheet outcomes{.key = "what_if",
                 .title = "What if",
                 .fields = {{"change", "change"},
                            {"length_ns", "window", unit::nanoseconds},
                            {"gain_ns", "gain", unit::nanoseconds},
                            {"gain_pct", "gain", unit::percent}}};
  for (const auto& text : changes) {
    const auto change = change_of(*s.source, text);
    if (!change) return change.why();
    const auto outcome = graph.what_if({&*change, 1});
    outcomes.rows.push_back({.values = {text, outcome.length_ns, outcome.gain_ns,
                                        percent_of(static_cast<double>(outcome.gain_ns),
                                                   static_cast<double>(path.window.length_ns()))}});
  }
  if (!outcomes.rows.empty())
    outcomes.notes.push_back("gains are upper bounds: delays that were seen stay as they were");
  d.sheets.push_back(std::move(outcomes));
  return d;
}

}  // namespace ridge::trace_report
