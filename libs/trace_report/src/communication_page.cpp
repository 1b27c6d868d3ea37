// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/communication.hpp>
#include <ridge/trace/fleet.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

sheet operations_sheet(const trace::communication_report& r, const view& v) {
  sheet made{.key = "operations",
             .title = "Operations",
             .fields = {name_field(v.full_names, "operation", "operation"),
                        {"library", "library"},
                        {"group", "group"},
                        {"dtype", "type"},
                        {"instances", "times", unit::count},
                        {"ranks", "ranks", unit::count},
                        {"bytes", "bytes", unit::bytes},
                        {"total_ns", "time", unit::nanoseconds},
                        {"exposed_ns", "exposed", unit::nanoseconds},
                        {"wait_ns", "waiting", unit::nanoseconds},
                        {"transfer_ns", "", unit::nanoseconds},
                        {"algorithm_bytes_per_s", "", unit::bytes_per_s},
                        {"bus_bytes_per_s", "bus bandwidth", unit::bytes_per_s},
                        {"bytes_per_s_with_waiting", "with waiting", unit::bytes_per_s},
                        {"heuristic", ""}},
             .empty = "no communication kernel is in what was given; --communication-names adds names"};
  const auto shown = shown_rows(r.operations.size(), v.rows, made);
  bool guessed = false;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& o = r.operations[i];
    guessed |= o.heuristic;
    made.rows.push_back(
        {.values = {o.operation + (o.heuristic ? " ?" : ""), o.library, o.group, o.dtype, whole(o.instances),
                    whole(o.ranks), o.with_bytes > 0 ? value(o.bytes) : value(), o.total_ns, o.exposed_ns,
                    value_or_blank(o.wait_ns), value_or_blank(o.transfer_ns),
                    value_or_blank(o.algorithm_rate), value_or_blank(o.bus_rate),
                    value_or_blank(o.rate_with_waiting), o.heuristic}});
  }
  if (guessed) made.notes.push_back("?: known as communication by words in its name alone");
  return made;
}

sheet ranks_sheet(const trace::communication_report& r) {
  sheet made{.key = "ranks",
             .title = "Ranks",
             .fields = {{"rank", "rank"},
                        {"busy_ns", "communication", unit::nanoseconds},
                        {"exposed_ns", "exposed", unit::nanoseconds},
                        {"overlap_pct", "under compute", unit::percent},
                        {"wait_suffered_ns", "waited", unit::nanoseconds},
                        {"wait_caused_ns", "made others wait", unit::nanoseconds}}};
  for (std::uint32_t i = 0; i < r.ranks.size(); ++i) {
    const auto& rank = r.ranks[i];
    made.rows.push_back({.values = {r.matched.participants[i].label, rank.busy_ns, rank.exposed_ns,
                                    value_or_blank(rank.overlap_percent()), value_or_blank(rank.wait_ns),
                                    r.waiting ? value(r.waiting->caused_by(i)) : value()}});
  }
  return made;
}

sheet waiting_sheet(const trace::communication_report& r) {
  sheet made{.key = "waiting",
             .title = "Who waits (column) for whom (row)",
             .fields = {{"caused_by", "because of"}}};
  if (!r.waiting) return made;
  constexpr std::size_t columns = 10;  // that a terminal holds
  const bool wide = r.matched.participants.size() > columns;
  for (const auto& p : r.matched.participants)
    made.fields.push_back({p.label, wide ? "" : p.label, unit::nanoseconds});
  if (wide) {
    made.title = "Who made others wait";
    made.notes.push_back("the longest waits of one rank for another: `ridge trace FOLDER`; all: --json");
  }
  made.fields.push_back({"all", "all", unit::nanoseconds});
  for (std::uint32_t a = 0; a < r.waiting->size(); ++a) {
    row one{.values = {r.matched.participants[a].label}};
    for (std::uint32_t b = 0; b < r.waiting->size(); ++b) one.values.emplace_back(r.waiting->caused(a, b));
    one.values.emplace_back(r.waiting->caused_by(a));
    made.rows.push_back(std::move(one));
  }
  if (const auto worst = r.waiting->worst()) {
    const auto seconds = [](trace::nanoseconds ns) {
      return format_quantity(static_cast<double>(ns) / 1e9, "s");
    };
    made.notes.push_back(fmt::format(
        "{} caused {} of {} of waiting ({:.0f} %)", r.matched.participants[worst->participant].label,
        seconds(worst->caused_ns), seconds(r.waiting->total()), 100 * worst->share));
  }
  return made;
}

sheet message_sizes_sheet(const trace::communication_report& r) {
  sheet made{.key = "sizes",
             .title = "By size of message",
             .fields = {{"from_bytes", "from", unit::bytes},
                        {"instances", "times", unit::count},
                        {"total_ns", "time", unit::nanoseconds}}};
  for (const auto& c : r.sizes) {
    if (c.instances > 0) made.rows.push_back({.values = {c.from_bytes, whole(c.instances), c.total_ns}});
  }
  if (r.unsized > 0 && !made.rows.empty())
    made.notes.push_back(fmt::format("{} more do not tell their size", r.unsized));
  return made;
}

sheet outliers_sheet(const trace::fleet_report& f) {
  sheet made{.key = "outliers",
             .title = "Ranks that stand out",
             .fields = {{"rank", "rank"},
                        {"measure", "in"},
                        {"value_ns", "has", unit::nanoseconds},
                        {"median_ns", "median", unit::nanoseconds},
                        {"robust_z", "robust z", unit::number}}};
  for (const auto& o : f.outliers) {
    if (o.measure != trace::fleet_measure::clock)
      made.rows.push_back({.values = {f.members[o.member].who.label, std::string(name(o.measure)), o.value,
                                      o.median, o.robust_z}});
  }
  return made;
}

}  // namespace

document communication_page(std::span<const trace::trace> traces, const view& v) {
  document d{.schema = "ridge.trace.communication/1"};
  d.title = traces.size() == 1 ? headline(traces.front()) : fmt::format("{} traces", traces.size());
  const auto clocks = trace::align_clocks(traces, trace::match_collectives(traces, v.names));
  const auto r = trace::communication_of(traces, v.names, clocks);
  d.facts = {{"traces", whole(traces.size())}};
  if (r.waiting) {
    d.facts.emplace_back("waiting.total_ns", r.waiting->total());
    if (const auto worst = r.waiting->worst()) {
      d.facts.emplace_back("waiting.culprit", r.matched.participants[worst->participant].label);
      d.facts.emplace_back("waiting.culprit_ns", worst->caused_ns);
    }
  }
  d.sheets = {operations_sheet(r, v), ranks_sheet(r), waiting_sheet(r), message_sizes_sheet(r)};
  if (traces.size() > 1)
    d.sheets.push_back(outliers_sheet(trace::fleet_of(traces, v.names, trace::steady_windows_of(traces))));
  if (!r.waiting && !r.operations.empty())
    d.notes.push_back("One rank alone does not show waiting: give the traces of all ranks, or their folder.");
  return d;
}

}  // namespace ridge::trace_report
