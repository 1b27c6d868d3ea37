// SPDX-License-Identifier: Apache-2.0
#include "idle_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

constexpr int causes = trace::idle_cause_count;

row cause_row(const trace::idle_report& r, trace::idle_cause c) {
  const auto& sum = r.of(c);
  return {.values = {std::int64_t{r.device}, std::string(name(c)), std::string(name(part_of(c))), sum.ns,
                     percent_of(static_cast<double>(sum.ns), static_cast<double>(r.idle_ns)),
                     percent_of(static_cast<double>(sum.ns), static_cast<double>(r.window.length_ns())),
                     whole(sum.count)}};
}

sheet idle_parts_sheet(const std::vector<trace::idle_report>& devices) {
  sheet made{.key = "parts_ns", .fields = {{"device", ""}, {"idle_ns", ""}}, .keyed = true};
  for (int p = 0; p < trace::idle_part_count; ++p)
    made.fields.push_back(
        {"parts_ns." + std::string(name(static_cast<trace::idle_part>(p))), "", unit::nanoseconds});
  for (const auto& r : devices) {
    row one{.values = {std::int64_t{r.device}, r.idle_ns}};
    for (const auto& part : r.parts) one.values.emplace_back(part.ns);
    made.rows.push_back(std::move(one));
  }
  return made;
}

// Returns the causes of a gap: "python 1.2 ms, cudaStreamSynchronize 0.3 ms".
std::string pieces_text(const scope& s, const trace::idle_report& r, const trace::idle_gap& g) {
  const auto& t = *s.source;
  std::string text;
  for (auto i = g.first_piece; i < g.first_piece + g.pieces; ++i) {
    const auto& p = r.pieces[i];
    if (p.range.length_ns() * 20 < g.range.length_ns()) continue;
    const auto blamed = std::string(p.blamed == trace::none ? "" : t.name_of(p.blamed));
    text += fmt::format("{}{}{}{} {}", text.empty() ? "" : ", ", name(p.cause), blamed.empty() ? "" : ": ",
                        s.full_names ? blamed : short_name(blamed, 40),
                        format_quantity(static_cast<double>(p.range.length_ns()) / 1e9, "s"));
  }
  return text;
}

sheet gaps_sheet(const scope& s, const trace::idle_report& r) {
  sheet made{.key = fmt::format("largest.{}", r.device),
             .title = fmt::format("Longest gaps of GPU {}", r.device),
             .fields = {{"start_ns", "at", unit::nanoseconds},
                        {"length_ns", "length", unit::nanoseconds},
                        name_field(s.full_names, "next", "before"),
                        {"causes", "while"}}};
  const auto first = trace::whole_window(*s.source).start_ns;
  for (std::size_t i = 0;
       i < std::min<std::size_t>(r.largest.size(), s.rows == 0 ? r.largest.size() : s.rows / 2); ++i) {
    const auto& g = r.gaps[r.largest[i]];
    const auto next = std::string(g.next == trace::none ? "" : s.source->names[s.source->works[g.next].name]);
    made.rows.push_back(
        {.values = {g.range.start_ns - first, g.range.length_ns(), next, pieces_text(s, r, g)}});
  }
  return made;
}

// The same gaps' pieces as rows of their own, for programs: `gap` is the index among the longest.
sheet pieces_sheet(const scope& s, const trace::idle_report& r) {
  sheet made{.key = fmt::format("pieces.{}", r.device),
             .fields = {{"gap", ""},
                        {"start_ns", ""},
                        {"length_ns", ""},
                        {"cause", ""},
                        {"part", ""},
                        {"blamed", ""},
                        {"event", ""}}};
  const auto first = trace::whole_window(*s.source).start_ns;
  for (std::size_t i = 0; i < r.largest.size(); ++i) {
    const auto& g = r.gaps[r.largest[i]];
    for (auto k = g.first_piece; k < g.first_piece + g.pieces; ++k) {
      const auto& p = r.pieces[k];
      const bool known = p.blamed != trace::none;
      made.rows.push_back({.values = {whole(i), p.range.start_ns - first, p.range.length_ns(),
                                      std::string(name(p.cause)), std::string(name(part_of(p.cause))),
                                      known ? value(std::string(s.source->name_of(p.blamed))) : value(),
                                      known ? whole(p.blamed) : value()}});
    }
  }
  return made;
}

}  // namespace

sheet idle_causes_sheet(const std::vector<trace::idle_report>& devices) {
  sheet made{.key = "idle",
             .title = "Why the GPU was idle",
             .fields = {{"device", "GPU"},
                        {"cause", "because of"},
                        {"part", ""},
                        {"ns", "idle", unit::nanoseconds},
                        {"pct_of_idle", "of idle", unit::percent},
                        {"pct_of_window", "of window", unit::percent},
                        {"count", "pieces", unit::count}}};
  for (const auto& r : devices) {
    std::vector<trace::idle_cause> order;
    for (int c = 0; c < causes; ++c) {
      if (r.of(static_cast<trace::idle_cause>(c)).ns > 0) order.push_back(static_cast<trace::idle_cause>(c));
    }
    std::ranges::stable_sort(order, std::greater{}, [&](trace::idle_cause c) { return r.of(c).ns; });
    for (const auto c : order) made.rows.push_back(cause_row(r, c));
  }
  return made;
}

std::vector<trace::idle_report> idle_of_devices(const scope& s) {
  return trace::idle_of_devices(*s.source, s.window);
}

document idle_page(const scope& s) {
  auto d = page_about(s, "idle");
  const auto devices = idle_of_devices(s);
  auto why = idle_causes_sheet(devices);
  why.empty = "no GPU was idle between its works";
  d.sheets.push_back(std::move(why));
  d.sheets.push_back(idle_parts_sheet(devices));
  for (const auto& r : devices) d.sheets.push_back(gaps_sheet(s, r));
  for (const auto& r : devices) d.sheets.push_back(pieces_sheet(s, r));
  return d;
}

}  // namespace ridge::trace_report
