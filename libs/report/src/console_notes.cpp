// SPDX-License-Identifier: Apache-2.0
#include "console_notes.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/words.hpp>

namespace ridge::report {
namespace {

// Names in order of first appearance, over all measurements.
template <class List>
std::vector<std::string> names_in(const model::family& of, List list) {
  std::vector<std::string> names;
  for (const auto& m : of.measurements) {
    for (const auto& x : list(m)) {
      if (std::ranges::find(names, x.name) == names.end()) names.push_back(x.name);
    }
  }
  return names;
}

template <class T>
const T* by_name(const std::vector<T>& list, const std::string& name) {
  const auto at = std::ranges::find(list, name, &T::name);
  return at == list.end() ? nullptr : &*at;
}

// One row for each variant that has any, one column for each name.
template <class List, class Text>
std::string by_variant(const model::family& of, std::string title, List list, Text text, const layout& in) {
  const auto names = names_in(of, list);
  if (names.empty()) return "";
  std::vector<column> columns{{std::move(title)}};
  for (const auto& name : names) columns.push_back({name});
  table rows(std::move(columns));
  for (const auto& m : of.measurements) {
    if (list(m).empty()) continue;
    std::vector<cell> cells{m.variant};
    for (const auto& name : names) {
      const auto* x = by_name(list(m), name);
      cells.emplace_back(x ? text(*x) : "-");
    }
    rows.row(std::move(cells));
  }
  return rows.text(in);
}

std::string quantile_text(const model::quantile_estimate& q) {
  return q.needed ? fmt::format("needs {} more", q.needed) : with_interval(q.value, q.ci, q.unit);
}

// Every check of the family and its comparisons, each said once.
std::vector<model::check> all_checks(const model::family& of) {
  std::vector<model::check> all;
  std::set<std::tuple<std::string, model::outcome, std::string>> seen;
  const auto add = [&](const std::vector<model::check>& list) {
    for (const auto& c : list) {
      if (seen.emplace(c.id, c.result, c.evidence).second) all.push_back(c);
    }
  };
  add(of.checks);
  for (const auto& c : of.comparisons) add(c.checks);
  return all;
}

std::string check_text(const model::check& c) {
  auto text = c.id;
  if (c.value && std::isfinite(*c.value)) text += " " + format_quantity(*c.value, c.unit);
  if (c.limit && std::isfinite(*c.limit))
    text += fmt::format(" (limit {})", format_quantity(*c.limit, c.unit));
  return c.evidence.empty() ? text : fmt::format("{}: {}", text, c.evidence);
}

tone tone_of(model::outcome o) {
  return o == model::outcome::fail ? tone::bad : o == model::outcome::warn ? tone::doubtful : tone::dim;
}

void add_effort(table& rows, const model::family& of) {
  if (of.comparisons.empty()) return;
  const auto& c = of.comparisons.front();
  rows.row({"noise", fmt::format("A/A {}: what identical code differs by", noise_in_words(c.aa))});
  const auto least = std::ranges::min(of.comparisons, {}, &model::comparison::assurance).assurance;
  rows.row({"assurance", assurance_in_words(least)});
  auto effort = fmt::format("{} pairs in {} rounds, {}", c.pairs, of.rounds, format_quantity(of.wall_s, "s"));
  if (of.duty > 0) effort += fmt::format(", {:.0f} % of it timed", of.duty * 100);
  if (of.forks > 1) effort += fmt::format(", {} forks", of.forks);
  rows.row({"effort", effort});
}

void add_checks(table& rows, const std::vector<model::check>& checks) {
  const auto count = [&](model::outcome o) { return std::ranges::count(checks, o, &model::check::result); };
  if (checks.empty()) return;
  rows.row({"checks", fmt::format("{} passed, {} failed, {} warned, {} skipped", count(model::outcome::pass),
                                  count(model::outcome::fail), count(model::outcome::warn),
                                  count(model::outcome::skipped))});
  for (const auto wanted : {model::outcome::fail, model::outcome::warn, model::outcome::skipped}) {
    for (const auto& c : checks) {
      if (c.result == wanted)
        rows.row({"", {fmt::format("{}: {}", name(wanted), check_text(c)), tone_of(wanted)}});
    }
  }
}

}  // namespace

std::string further_comparisons(const model::run& run, const model::family& of, const layout& in) {
  const auto baseline = baseline_of(of);
  const auto primary = primary_metric(of).name;
  table rows({{"also compared"}, {"metric"}, {interval_title(run)}, {""}});
  for (const auto& c : of.comparisons) {
    const auto* shown = find(of, baseline, c.candidate, primary);
    const bool repeats = &c != shown && !c.judged && find(of, c.reference, c.candidate, c.metric.name) != &c;
    if (&c == shown || repeats) continue;
    const auto words = c.judged ? verdict_in_words(c, run.min_effect) : "step, not judged";
    rows.row({fmt::format("{} vs {}", c.candidate, c.reference),
              c.metric.name == primary ? "" : metric_title(c.metric),
              ratio_with_interval(c.ratio, c.ci),
              {words, c.judged ? report::tone_of(c.verdict) : tone::dim}});
  }
  return rows.empty() ? "" : rows.text(in);
}

std::string phases(const model::family& of, const layout& in) {
  return by_variant(
      of, "where the time goes", [](const model::measurement& m) -> const auto& { return m.phases; },
      [](const model::phase_share& p) { return format_quantity(p.share, "1"); }, in);
}

std::string quantiles(const model::family& of, const layout& in) {
  return by_variant(
      of, "quantiles", [](const model::measurement& m) -> const auto& { return m.quantiles; }, quantile_text,
      in);
}

std::string trust(const model::family& of, const layout& in) {
  table rows({{""}, {""}});
  add_effort(rows, of);
  add_checks(rows, all_checks(of));
  return rows.empty() ? "" : rows.text(in);
}

}  // namespace ridge::report
