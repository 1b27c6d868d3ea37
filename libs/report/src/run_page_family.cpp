// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/check_words.hpp>
#include <ridge/report/run_charts.hpp>
#include <ridge/report/words.hpp>

#include "run_page_parts.hpp"

namespace ridge::report {
namespace {

std::string kind_of(tone look) {
  switch (look) {
    case tone::good:
      return "good";
    case tone::bad:
      return "bad";
    case tone::doubtful:
      return "doubtful";
    case tone::dim:
      return "dim";
    default:
      return "";
  }
}

std::vector<page_cell> unmeasured_row(const model::measurement& m) {
  const bool refused = !m.refused.empty();
  return {
      {m.variant, "", m.idea},
      {"", "figure"},
      {"", "figure"},
      {"", "figure"},
      {refused ? "REFUSED" : "skipped", refused ? "bad" : "dim", refused ? failure_in_words(m) : m.skipped},
      {"", "figure"}};
}

std::vector<page_cell> measured_row(const model::run& run, const model::family& family,
                                    const model::measurement& m) {
  const auto metric = primary_metric(family);
  const auto baseline = baseline_of(family);
  const auto* seen = find(m, metric.name);
  const auto* c = find_comparison(family, baseline, m.variant, metric.name);
  std::vector<std::string> further;
  if (m.role == model::role::comparator) further.emplace_back("library");
  if (m.pedagogy) further.emplace_back("for teaching");
  if (!m.idea.empty()) further.push_back(m.idea);
  const auto energy = m.energy_j ? fmt::format("{} per call", format_quantity(*m.energy_j, "J")) : "";
  return {{m.variant, "", join(further, " · ")},
          {seen ? with_interval(seen->median, seen->ci, seen->metric.unit) : "-", "figure"},
          {ceiling_in_words(m), "figure"},
          {c                       ? ratio_with_interval(c->ratio, c->ci)
           : m.variant == baseline ? "baseline"
                                   : "",
           "figure"},
          {c ? verdict_in_words(*c, run.min_effect) : "", c ? kind_of(tone_of(c->verdict)) : ""},
          {m.memory.peak_bytes > 0 ? format_quantity(m.memory.peak_bytes, "B") : "", "figure", energy}};
}

void write_variants(page_markup& page, const model::run& run, const model::family& family,
                    const std::string& problem) {
  std::vector<std::vector<page_cell>> rows;
  for (const auto& m : family.measurements) {
    const bool measured = m.skipped.empty() && m.refused.empty();
    rows.push_back(measured ? measured_row(run, family, m) : unmeasured_row(m));
  }
  if (rows.empty()) return;
  page.table(fmt::format("Variants, {}", problem),
             {"variant", metric_title(primary_metric(family)), "of ceiling", interval_title(run), "verdict",
              "memory peak"},
             rows);
}

void write_comparisons(page_markup& page, const model::run& run, const model::family& family,
                       const std::string& problem) {
  const auto baseline = baseline_of(family);
  const auto primary = primary_metric(family).name;
  std::vector<std::vector<page_cell>> rows;
  for (const auto& c : family.comparisons) {
    if (&c == find_comparison(family, baseline, c.candidate, primary)) continue;
    rows.push_back({fmt::format("{} vs {}", c.candidate, c.reference),
                    metric_title(c.metric),
                    {ratio_with_interval(c.ratio, c.ci), "figure"},
                    {c.judged ? verdict_in_words(c, run.min_effect) : direction_in_words(c),
                     c.judged ? kind_of(tone_of(c.verdict)) : "dim"}});
  }
  if (rows.empty()) return;
  page.raw("<details><summary>Further comparisons</summary>\n");
  page.table(fmt::format("Further comparisons, {}", problem),
             {"candidate and reference", "metric", interval_title(run), "verdict"}, rows);
  page.raw("</details>\n");
}

// A check with everything that it was made for.
struct shared_check {
  model::check check{};
  std::vector<std::string> cases{};
};

std::vector<shared_check> checks_of(const model::family& family) {
  std::vector<shared_check> all;
  const auto add = [&](const model::check& c, const std::string& where) {
    auto at = std::ranges::find_if(all, [&](const shared_check& s) {
      return s.check.id == c.id && s.check.result == c.result && s.check.evidence == c.evidence;
    });
    if (at == all.end()) at = all.insert(at, {.check = c});
    if (std::ranges::find(at->cases, where) == at->cases.end()) at->cases.push_back(where);
  };
  for (const auto& c : family.checks) add(c, "all variants");
  for (const auto& compared : family.comparisons) {
    for (const auto& c : compared.checks)
      add(c, fmt::format("{} vs {}", compared.candidate, compared.reference));
  }
  std::ranges::stable_sort(all, [](const shared_check& a, const shared_check& b) {
    const auto rank = [](model::outcome o) {
      return o == model::outcome::fail      ? 0
             : o == model::outcome::warn    ? 1
             : o == model::outcome::skipped ? 2
                                            : 3;
    };
    return rank(a.check.result) < rank(b.check.result);
  });
  return all;
}

// Errors and shares may be so small that nobody counts their zeros.
std::string value_in_words(double value, const std::string& unit) {
  const bool has_prefix = !unit.empty() && unit != "%";
  if (has_prefix || value == 0 || std::abs(value) >= 1e-3) return format_quantity(value, unit);
  return fmt::format("{:.3g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string value_and_limit(const model::check& c) {
  std::string text;
  if (c.value && std::isfinite(*c.value)) text = value_in_words(*c.value, c.unit);
  if (c.limit && std::isfinite(*c.limit))
    text += fmt::format(" (limit {})", value_in_words(*c.limit, c.unit));
  return text;
}

void write_checks(page_markup& page, const model::family& family, const std::string& problem) {
  const auto all = checks_of(family);
  if (all.empty()) return;
  std::vector<std::vector<page_cell>> rows;
  std::size_t failed = 0, warned = 0;
  for (const auto& [c, cases] : all) {
    failed += c.result == model::outcome::fail;
    warned += c.result == model::outcome::warn;
    const bool wrong = c.result == model::outcome::fail || c.result == model::outcome::warn;
    const auto kind = c.result == model::outcome::fail   ? "bad"
                      : c.result == model::outcome::warn ? "doubtful"
                      : c.result == model::outcome::pass ? "good"
                                                         : "dim";
    auto where =
        cases.size() > 2 ? fmt::format("{} and {} more", cases.front(), cases.size() - 1) : join(cases, ", ");
    rows.push_back({{c.id, "", wrong ? check_in_words(c.id) : ""},
                    {std::string(name(c.result)), kind},
                    {value_and_limit(c), "figure"},
                    c.evidence,
                    {std::move(where), "dim"}});
  }
  page.raw("<details><summary>");
  page.raw(fmt::format("{} checks: {} failed, {} warned", all.size(), failed, warned));
  page.raw("</summary>\n");
  page.table(fmt::format("Checks, {}", problem), {"check", "outcome", "value", "what was seen", "made for"},
             rows);
  page.raw("</details>\n");
}

void write_samples(page_markup& page, const model::family& family) {
  const auto violins = chart_figure(violin_chart(family)), shares = chart_figure(ecdf_chart(family));
  if (violins.empty()) return;
  page.raw("<details><summary>Samples</summary>\n<div class=\"plots\" tabindex=\"0\">\n");
  page.raw(violins);
  page.raw(shares);
  page.raw("</div></details>\n");
}

void write_family(page_markup& page, const model::run& run, const model::family& family) {
  const auto point = model::text(family.problem);
  const auto problem = fmt::format("{}{}{}", name(family.backend), point.empty() ? "" : ", ", point);
  page.element("h3", problem);
  if (!family.skipped.empty()) page.element("p", "Skipped: " + family.skipped, "quiet");
  write_variants(page, run, family, problem);
  if (!family.comparisons.empty()) {
    const auto& c = family.comparisons.front();
    const auto least = std::ranges::min(family.comparisons, {}, &model::comparison::assurance).assurance;
    page.element("p",
                 fmt::format("Noise floor (the baseline against itself): {}. Assurance: {}. {} pairs in {} "
                             "rounds, {}.",
                             noise_in_words(c.aa), assurance_in_words(least), c.pairs, family.rounds,
                             format_quantity(family.wall_s, "s")),
                 "quiet");
  }
  write_comparisons(page, run, family, problem);
  write_samples(page, family);
  write_checks(page, family, problem);
}

}  // namespace

void write_experiment(page_markup& page, const model::run& run,
                      std::span<const model::family* const> problems, const std::string& prefix) {
  const auto& first = *problems.front();
  page.raw("<section>\n");
  page.element("h2", first.title.empty() ? first.experiment : first.experiment + ": " + first.title, "",
               prefix + anchor_of(first.experiment) + "-" + std::string(name(first.backend)));
  if (!first.question.empty()) page.element("p", first.question);
  model::run part{.level = run.level};
  for (const auto* family : problems) part.families.push_back(*family);
  const auto sweeps = sweep_charts(part);
  if (!sweeps.empty()) page.raw("<div class=\"plots\" tabindex=\"0\">\n");
  for (const auto& sweep : sweeps) page.raw(chart_figure(sweep));
  if (!sweeps.empty()) page.raw("</div>\n");
  for (const auto* family : problems) write_family(page, run, *family);
  page.raw("</section>\n");
}

}  // namespace ridge::report
