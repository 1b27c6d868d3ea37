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

std::string quantile_text(const model::quantile_estimate& q) {
  return q.needed ? fmt::format("needs {} more", q.needed) : with_interval(q.value, q.ci, q.unit);
}

// Splits "ttft p99" into the quantile "p99" and the observed value "ttft".
std::string quantile_word(const model::quantile_estimate& q) { return q.name.substr(q.name.rfind(' ') + 1); }

std::string observed_name(const model::quantile_estimate& q) {
  const auto space = q.name.rfind(' ');
  return space == std::string::npos ? "" : q.name.substr(0, space);
}

// Adds a row for each value that the variant observed.
void add_quantiles(table& rows, const model::measurement& m, const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::vector<cell>>> seen;
  for (const auto& q : m.quantiles) {
    const auto name = observed_name(q);
    auto at = std::ranges::find(seen, name, [](const auto& x) { return x.first; });
    if (at == seen.end()) {
      std::vector<cell> cells{m.variant, name};
      cells.resize(2 + words.size(), "-");
      at = seen.insert(at, {name, std::move(cells)});
    }
    const auto place = std::ranges::find(words, quantile_word(q)) - words.begin();
    at->second[2 + static_cast<std::size_t>(place)].text = quantile_text(q);
  }
  for (auto& [name, cells] : seen) rows.row(std::move(cells));
}

// Returns every check of the family and its comparisons, each once.
// Each once; what is the reason why nothing was measured has been said as such.
std::vector<model::check> all_checks(const model::family& family) {
  std::vector<model::check> all;
  std::set<std::tuple<std::string, model::outcome, std::string>> seen;
  const auto add = [&](const std::vector<model::check>& list) {
    for (const auto& c : list) {
      if (!family.skipped.empty() && c.evidence == family.skipped) continue;
      if (seen.emplace(c.id, c.result, c.evidence).second) all.push_back(c);
    }
  };
  add(family.checks);
  for (const auto& c : family.comparisons) add(c.checks);
  return all;
}

std::string check_text(const model::check& c) {
  auto text = c.id;
  if (c.value && std::isfinite(*c.value)) text += " " + format_quantity(*c.value, c.unit);
  if (c.limit && std::isfinite(*c.limit))
    text += fmt::format(" (limit {})", format_quantity(*c.limit, c.unit));
  return c.evidence.empty() ? text : fmt::format("{}: {}", text, c.evidence);
}

tone tone_of_outcome(model::outcome o) {
  return o == model::outcome::fail ? tone::bad : o == model::outcome::warn ? tone::doubtful : tone::dim;
}

void add_effort(table& rows, const model::family& family) {
  if (family.comparisons.empty()) return;
  const auto& c = family.comparisons.front();
  rows.row({"noise floor", fmt::format("{}: the baseline against itself", noise_in_words(c.aa))});
  const auto least = std::ranges::min(family.comparisons, {}, &model::comparison::assurance).assurance;
  rows.row({"assurance", assurance_in_words(least)});
  auto effort =
      fmt::format("{} pairs in {} rounds, {}", c.pairs, family.rounds, format_quantity(family.wall_s, "s"));
  if (family.duty > 0) effort += fmt::format(", {:.0f} % of it timed", family.duty * 100);
  if (family.forks > 1) effort += fmt::format(", {} forks", family.forks);
  rows.row({"effort", effort});
  const auto clocks = std::ranges::find(family.checks, "clocks", &model::check::id);
  if (clocks != family.checks.end() && clocks->result != model::outcome::skipped)
    rows.row({"gpu", clocks->evidence});
}

// Returns "-O3, GCC 12.2.0: -O3 -DNDEBUG".
std::string compilation_text(const model::compilation& c) {
  auto text = c.level.empty() ? std::string("with optimization") : c.level;
  if (!c.compiler.empty()) text += ", " + c.compiler;
  if (!c.sanitizer.empty()) text += fmt::format(", sanitizer of {} errors", c.sanitizer);
  return c.flags.empty() ? text : fmt::format("{}: {}", text, c.flags);
}

// Adds how the objects of the variants were compiled; which variants only where they differ.
void add_compilation(table& rows, const model::family& family) {
  std::vector<std::pair<std::string, std::string>> variants_by_text;
  for (const auto& m : family.measurements) {
    if (!m.compiled) continue;
    const auto text = compilation_text(*m.compiled);
    const auto at = std::ranges::find(variants_by_text, text, [](const auto& x) { return x.first; });
    if (at == variants_by_text.end()) {
      variants_by_text.emplace_back(text, m.variant);
    } else {
      at->second += ", " + m.variant;
    }
  }
  const bool differ = variants_by_text.size() > 1;
  for (std::size_t i = 0; i < variants_by_text.size(); ++i) {
    const auto& [text, variants] = variants_by_text[i];
    rows.row({i == 0 ? "compiled" : "", differ ? fmt::format("{} ({})", text, variants) : text});
  }
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
        rows.row({"", {fmt::format("{}: {}", name(wanted), check_text(c)), tone_of_outcome(wanted)}});
    }
  }
}

bool is_library(const model::family& family, const std::string& variant) {
  const auto* m = find(family, variant);
  return m != nullptr && m->role == model::role::comparator;
}

bool equal_intervals(const model::comparison& a, const model::comparison& b) {
  const auto near = [](double x, double y) { return std::fabs(x - y) <= 1e-6 * std::fabs(y); };
  return near(a.ratio, b.ratio) && near(a.ci.lo, b.ci.lo) && near(a.ci.hi, b.ci.hi);
}

// Returns whether the main table, a judged comparison of the same pair or the deciding metric shows the same
// already.
bool is_said(const model::family& family, const model::comparison& c) {
  const auto primary = primary_metric(family).name;
  const auto* same = find_comparison(family, c.reference, c.candidate, c.metric.name);
  if (c.reference == baseline_of(family) && c.metric.name == primary && same == &c) return true;
  if (c.judged) return false;
  const auto* decided = find_comparison(family, c.reference, c.candidate, primary);
  return same != &c || (c.metric.name != primary && decided != nullptr && equal_intervals(*decided, c));
}

}  // namespace

std::string further_comparisons(const model::run& run, const model::family& family, const layout& layout) {
  const auto primary = primary_metric(family).name;
  table libraries({{"against libraries"}, {interval_title(run)}, {""}});
  table steps({{"step by step (intervals only)"}, {interval_title(run)}, {""}});
  table metrics({{"in other metrics"}, {""}, {interval_title(run)}, {""}});
  for (const auto& c : family.comparisons) {
    if (is_said(family, c) || !is_shown_beside(family, c.metric)) continue;
    const auto who = fmt::format("{} vs {}", c.candidate, c.reference);
    const auto ratio = ratio_with_interval(c.ratio, c.ci);
    const cell words{c.judged ? verdict_in_words(c, run.min_effect) : direction_in_words(c),
                     c.judged ? report::tone_of(c.verdict) : tone::dim};
    if (c.metric.name != primary) {
      metrics.row({who, metric_title(c.metric), ratio, words});
    } else {
      auto& table_of = is_library(family, c.reference) ? libraries : steps;
      table_of.row({who, ratio, words});
      for (const auto& use : c.libraries) table_of.note(in_words(use));
    }
  }
  std::string out;
  for (const auto* part : {&libraries, &steps, &metrics}) {
    if (!part->empty()) out += (out.empty() ? "" : "\n") + part->text(layout);
  }
  return out;
}

std::string modes(const model::run& run, const model::family& family, const layout& layout) {
  table rows({{"in other modes"}, {""}, {"time"}, {interval_title(run)}});
  const auto baseline = baseline_of(family);
  for (const auto& m : family.measurements) {
    for (const auto& seen : m.metrics) {
      if (!is_of_a_mode(family, seen.metric)) continue;
      const auto* against = find_comparison(family, baseline, m.variant, seen.metric.name);
      rows.row({m.variant, seen.metric.name, with_interval(seen.median, seen.ci, seen.metric.unit),
                against ? ratio_with_interval(against->ratio, against->ci) : ""});
    }
  }
  return rows.empty() ? "" : rows.text(layout);
}

std::string phases(const model::family& family, const layout& layout) {
  const auto names = phase_names(family);
  if (names.empty()) return "";
  std::vector<column> columns{{"where the time goes"}};
  for (const auto& name : names) columns.push_back({name});
  table rows(std::move(columns));
  for (const auto& m : family.measurements) {
    if (m.phases.empty()) continue;
    std::vector<cell> cells{m.variant};
    for (const auto& name : names) {
      const auto at = std::ranges::find(m.phases, name, &model::phase_share::name);
      cells.emplace_back(at == m.phases.end() ? "-" : format_quantity(at->share, "1"));
    }
    rows.row(std::move(cells));
  }
  return rows.text(layout);
}

std::string quantiles(const model::family& family, const layout& layout) {
  std::vector<std::string> words;
  for (const auto& m : family.measurements) {
    for (const auto& q : m.quantiles) {
      const auto word = quantile_word(q);
      if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
  }
  if (words.empty()) return "";
  std::vector<column> columns{{"quantiles"}, {""}};
  for (const auto& word : words) columns.push_back({word});
  table rows(std::move(columns));
  for (const auto& m : family.measurements) add_quantiles(rows, m, words);
  return rows.text(layout);
}

std::string trust(const model::family& family, const layout& layout) {
  table rows({{""}, {""}});
  add_effort(rows, family);
  add_compilation(rows, family);
  add_checks(rows, all_checks(family));
  return rows.empty() ? "" : rows.text(layout);
}

}  // namespace ridge::report
