// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

using trace::survey_report;

const std::string& label_of(const survey_report& s, std::uint32_t rank) {
  return s.ranks[rank].member.who.label;
}

trace::nanoseconds a_step(trace::nanoseconds total, const trace::surveyed_rank& rank) {
  return total / rank.member.steps;
}

// Orders ranks by what they cost the others: the waiting they caused, else how far they stand out, else the
// time of their own.
std::vector<std::uint32_t> worst_first(const survey_report& s) {
  std::vector<std::uint32_t> order(s.ranks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<double> out(s.ranks.size());
  for (const auto& o : s.fleet.outliers) out[o.member] = std::max(out[o.member], std::abs(o.robust_z));
  std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t i) {
    const auto& rank = s.ranks[i];
    return std::tuple(rank.kept_others_ns.value_or(-1), out[i],
                      rank.member.value(trace::fleet_measure::own_time).value_or(0));
  });
  return order;
}

std::vector<field> rank_fields() {
  return {{"rank", "rank"},
          {"node", "node"},
          {"path", ""},
          {"steps", "steps", unit::count},
          {"step_ns", "a step", unit::nanoseconds},
          {"window_ns", "", unit::nanoseconds},
          {"comp_ns", "", unit::nanoseconds},
          {"pct.comp", "compute", unit::percent},
          {"exposed_comm_ns", "", unit::nanoseconds},
          {"pct.expcomm", "exposed comm", unit::percent},
          {"exposed_memcpy_ns", "", unit::nanoseconds},
          {"pct.expmem", "exposed copies", unit::percent},
          {"idle_ns", "", unit::nanoseconds},
          {"pct.idle", "idle", unit::percent},
          {"inside_nodes_ns", "", unit::nanoseconds},
          {"between_nodes_ns", "", unit::nanoseconds},
          {"wait_suffered_ns", "waited", unit::nanoseconds},
          {"wait_caused_ns", "made others wait", unit::nanoseconds}};
}

row rank_row(const survey_report& s, std::uint32_t index) {
  const auto& rank = s.ranks[index];
  const auto& p = rank.member.times;
  const bool slowest = s.fleet.slowest && s.fleet.slowest->member == index;
  return {.values = {rank.member.who.label, rank.node, rank.path, rank.member.steps,
                     a_step(p.window.length_ns(), rank), p.window.length_ns(), p.compute_ns,
                     p.percent(p.compute_ns), p.exposed_communication_ns,
                     p.percent(p.exposed_communication_ns), p.exposed_copy_ns, p.percent(p.exposed_copy_ns),
                     p.idle_ns, p.percent(p.idle_ns), rank.inside_ns, rank.between_ns,
                     value_or_blank(rank.waited_ns), value_or_blank(rank.kept_others_ns)},
          .look = slowest ? report::tone::strong : report::tone::plain};
}

sheet ranks_sheet(const survey_report& s, std::size_t rows) {
  sheet made{.key = "ranks",
             .title = "Ranks",
             .fields = rank_fields(),
             .empty = "no work of a GPU is in these traces"};
  const auto all = static_cast<std::uint32_t>(s.ranks.size());
  if (rows == 0 || all <= rows) {
    for (std::uint32_t i = 0; i < all; ++i) made.rows.push_back(rank_row(s, i));
    return made;
  }
  const auto best = rows / 3, worst = rows - best;
  const auto order = worst_first(s);
  for (std::size_t i = 0; i < worst; ++i) made.rows.push_back(rank_row(s, order[i]));
  for (std::size_t i = all - best; i < all; ++i) made.rows.push_back(rank_row(s, order[i]));
  made.title = fmt::format("Ranks: the {} {}, then the {} {}", worst,
                           s.tells_waiting ? "that others waited for most" : "that stand out most", best,
                           s.tells_waiting ? "that they waited for least" : "that stand out least");
  made.notes.push_back(
      fmt::format("{} ranks lie between them; --verbose shows all, --rank N one rank's page", all - rows));
  return made;
}

sheet outliers_sheet(const survey_report& s, std::size_t rows) {
  sheet made{.key = "outliers",
             .title = "Ranks that stand out, per step",
             .fields = {{"rank", "rank"},
                        {"measure", "in"},
                        {"value_ns", "has", unit::nanoseconds},
                        {"median_ns", "median of all", unit::nanoseconds},
                        {"robust_z", "robust z", unit::number}}};
  std::vector<const trace::fleet_outlier*> all;
  for (const auto& o : s.fleet.outliers)
    if (o.measure != trace::fleet_measure::clock) all.push_back(&o);
  const auto shown = shown_rows(all.size(), rows, made);
  for (const auto* o : std::span(all).first(shown))
    made.rows.push_back({.values = {label_of(s, o->member), std::string(name(o->measure)), o->value,
                                    o->median, o->robust_z}});
  if (s.fleet.too_few && s.ranks.size() > 1)
    made.notes.push_back("fewer than four ranks: nobody can be told to stand out");
  return made;
}

sheet pairs_sheet(const survey_report& s, std::size_t rows) {
  sheet made{.key = "pairs",
             .title = "Longest waits of one rank for another",
             .fields = {{"caused_by", "because of"},
                        {"waits", "waits"},
                        {"waiting_ns", "for", unit::nanoseconds},
                        {"pct_of_waiting", "of all waiting", unit::percent}}};
  const auto shown = shown_rows(s.pairs.size(), rows, made);
  for (const auto& pair : std::span(s.pairs).first(shown))
    made.rows.push_back(
        {.values = {label_of(s, pair.causer), label_of(s, pair.sufferer), pair.waited_ns,
                    percent_of(static_cast<double>(pair.waited_ns), static_cast<double>(s.waited_ns))}});
  return made;
}

sheet reaches_sheet(const survey_report& s) {
  sheet made{.key = "reaches",
             .title = "Collectives inside and between nodes",
             .fields = {{"reach", "ranks are"},
                        {"instances", "collectives", unit::count},
                        {"parts", "", unit::count},
                        {"total_ns", "time, all ranks", unit::nanoseconds},
                        {"waiting_ns", "of it waiting", unit::nanoseconds},
                        {"transfer_ns", "", unit::nanoseconds},
                        {"bytes", "moved", unit::bytes},
                        {"bytes_per_s", "rate without waiting", unit::bytes_per_s}}};
  for (int r = 0; r < trace::node_reach_count; ++r) {
    const auto& sum = s.reaches.at(static_cast<std::size_t>(r));
    if (sum.instances == 0) continue;
    const auto rate =
        sum.sized_transfer_ns > 0
            ? value(static_cast<double>(sum.bytes) * 1e9 / static_cast<double>(sum.sized_transfer_ns))
            : value();
    made.rows.push_back({.values = {std::string(name(static_cast<trace::node_reach>(r))),
                                    whole(sum.instances), whole(sum.parts), sum.total_ns, sum.waited_ns,
                                    sum.transfer_ns, sum.bytes > 0 ? value(sum.bytes) : value(), rate}});
  }
  if (s.reaches.at(static_cast<std::size_t>(trace::node_reach::unknown)).instances > 0)
    made.notes.push_back(
        "not told: traces lack their host, or ranks of a group are missing; --ranks-per-node N says which "
        "ranks share a node");
  return made;
}

// Says in one sentence which rank to look at.
void add_verdict(document& d, const survey_report& s) {
  const auto most =
      std::ranges::max_element(s.ranks, {}, [](const auto& rank) { return rank.kept_others_ns.value_or(0); });
  if (s.tells_waiting && most->kept_others_ns.value_or(0) > 0)
    d.notes.push_back(
        fmt::format("The others waited {} for {}, {:.0f} % of all waiting in collectives.",
                    seconds_text(*most->kept_others_ns), most->member.who.label,
                    100 * static_cast<double>(*most->kept_others_ns) / static_cast<double>(s.waited_ns)));
  if (s.fleet.slowest)
    d.notes.push_back(fmt::format("{} has {} a step more of its own than the median rank, most of it {}.",
                                  s.fleet.members[s.fleet.slowest->member].who.label,
                                  seconds_text(s.fleet.slowest->excess_ns), name(s.fleet.slowest->state)));
  if (!s.tells_waiting && s.ranks.size() > 1)
    d.notes.push_back("No collective was recorded by two ranks, so that waiting cannot be told.");
}

void add_limits(document& d, const survey_report& s) {
  if (s.unmatched > 0)
    d.notes.push_back(fmt::format("{} parts of collectives were recorded by one rank alone.", s.unmatched));
  if (s.incomplete > 0)
    d.notes.push_back(
        fmt::format("{} of {} collectives lack ranks of their group: waiting for those is not seen.",
                    s.incomplete, s.instances));
  if (!s.without_device.empty())
    d.notes.push_back(fmt::format("{} traces hold no kernel and have no row, {} among them.",
                                  s.without_device.size(), s.without_device.front()));
}

// Marks ranks whose figures are to be read with care: one sentence a reason, told by the first such rank.
void add_cautions(std::vector<std::string>& notes, const survey_report& s) {
  struct told {
    std::string first{}, text{};
    std::set<std::uint32_t> traces{};
  };
  std::map<std::string, told> by_rule;
  for (const auto& rank : s.ranks) {
    for (const auto& c : rank.cautions) {
      auto& t = by_rule[c.rule];
      if (t.traces.empty()) t = {rank.member.who.label, c.text, {}};
      t.traces.insert(rank.member.who.trace);
    }
  }
  for (const auto& [rule, t] : by_rule) {
    const auto others = t.traces.size() - 1;
    notes.push_back(others == 0 ? fmt::format("{}: {}", t.first, t.text)
                                : fmt::format("{} and {} more: {}", t.first, others, t.text));
  }
}

// The tables besides that of the ranks, and the sentences about all of them.
document beside_ranks(const survey_report& survey, std::size_t rows) {
  document d{.sheets = {outliers_sheet(survey, rows), pairs_sheet(survey, rows), reaches_sheet(survey)}};
  add_verdict(d, survey);
  add_limits(d, survey);
  return d;
}

}  // namespace

document ranks_page(const survey_report& survey, std::size_t rows) {
  document d{.schema = "ridge.trace.ranks/1"};
  d.title =
      fmt::format("{} GPUs of {} ranks", survey.ranks.size(),
                  survey.ranks.empty() ? 0 : std::ranges::count_if(survey.ranks, [&](const auto& r) {
                    return &r == survey.ranks.data() || (&r - 1)->member.who.trace != r.member.who.trace;
                  }));
  d.facts = {{"ranks", whole(survey.ranks.size())},
             {"collectives", whole(survey.instances)},
             {"unmatched", whole(survey.unmatched)},
             {"incomplete", whole(survey.incomplete)}};
  if (survey.tells_waiting) d.facts.emplace_back("waiting.total_ns", survey.waited_ns);
  d.sheets = {ranks_sheet(survey, rows)};
  add_cautions(d.sheets.front().notes, survey);
  auto beside = beside_ranks(survey, rows == 0 ? 0 : std::min<std::size_t>(rows, 8));
  std::ranges::move(beside.sheets, std::back_inserter(d.sheets));
  d.notes = std::move(beside.notes);
  return d;
}

document beside_ranks_page(const survey_report& survey, std::size_t rows) {
  auto d = beside_ranks(survey, rows);
  add_cautions(d.notes, survey);
  return d;
}

}  // namespace ridge::trace_report
