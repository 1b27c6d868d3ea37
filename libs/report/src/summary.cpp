// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/summary.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/report/words.hpp>

#include "best_comparison.hpp"

namespace ridge::report {
namespace {

std::string without_verdict(const model::family& family) {
  const auto any = [&](std::string model::measurement::*reason) {
    return std::ranges::any_of(family.measurements, [&](const auto& m) { return !(m.*reason).empty(); });
  };
  if (any(&model::measurement::refused)) return "REFUSED";
  const auto measured =
      std::ranges::count_if(family.measurements, [](const auto& m) { return !m.metrics.empty(); });
  if (!family.skipped.empty() || measured == 0) return "skipped";
  return measured == 1 ? "one variant" : "not compared";
}

// The values of a line that are ranges over the problems.
struct totals {
  std::map<model::verdict, std::size_t> verdicts{};
  std::map<std::string, std::size_t> others{};
  std::set<std::string> variants{};
  double least_ratio = HUGE_VAL, greatest_ratio = -HUGE_VAL;
  double least_share = HUGE_VAL, greatest_share = -HUGE_VAL;

  void take(const model::family& family) {
    const auto* best = best_of(family);
    if (best == nullptr) {
      ++others[without_verdict(family)];
      return;
    }
    if (best->judged)
      ++verdicts[best->verdict];
    else
      ++others["not judged"];
    variants.insert(best->candidate);
    if (std::isfinite(best->ratio)) {
      least_ratio = std::min(least_ratio, best->ratio);
      greatest_ratio = std::max(greatest_ratio, best->ratio);
    }
    const auto* m = find(family, best->candidate);
    if (m == nullptr || !m->of_ceiling || !std::isfinite(*m->of_ceiling)) return;
    least_share = std::min(least_share, *m->of_ceiling);
    greatest_share = std::max(greatest_share, *m->of_ceiling);
  }
};

std::string verdicts_in_words(const totals& all) {
  if (all.verdicts.empty() && all.others.size() == 1) return all.others.begin()->first;
  std::vector<std::string> parts;
  for (const auto& [verdict, n] : all.verdicts) parts.push_back(fmt::format("{} {}", n, name(verdict)));
  for (const auto& [word, n] : all.others) parts.push_back(fmt::format("{} {}", n, word));
  return join(parts, ", ");
}

tone tone_over(const totals& all) {
  if (all.others.contains("REFUSED")) return tone::bad;
  tone look = all.verdicts.empty() ? tone::dim : tone::good;
  for (const auto& [verdict, n] : all.verdicts) {
    const auto mine = report::tone_of(verdict);
    if (mine == tone::bad) return tone::bad;
    if (mine != tone::good) look = mine;
  }
  return look;
}

std::string short_ratio(double ratio) { return fmt::format("{:.3g}×", ratio); }

summary_row over_all(std::span<const model::family* const> problems) {
  totals all;
  for (const auto* family : problems) all.take(*family);
  summary_row row{.problem = fmt::format("{} problems", problems.size()),
                  .verdict = verdicts_in_words(all),
                  .look = tone_over(all)};
  if (!all.variants.empty())
    row.best =
        all.variants.size() == 1 ? *all.variants.begin() : fmt::format("{} variants", all.variants.size());
  if (all.least_ratio <= all.greatest_ratio)
    row.ratio = fmt::format("{} to {}", short_ratio(all.least_ratio), short_ratio(all.greatest_ratio));
  if (all.least_share <= all.greatest_share)
    row.of_ceiling = fmt::format("{:.2g} to {:.2g} %", all.least_share * 100, all.greatest_share * 100);
  return row;
}

summary_row of_one(const model::family& family) {
  summary_row row{.problem = model::text(family.problem), .values = values_of(family.problem)};
  const auto* best = best_of(family);
  const model::measurement* measured = nullptr;
  if (best == nullptr) {
    const auto at =
        std::ranges::find_if(family.measurements, [](const auto& m) { return !m.metrics.empty(); });
    if (at != family.measurements.end()) measured = &*at;
    row.best = measured ? measured->variant : "";
    row.verdict = without_verdict(family);
    row.look = row.verdict == "REFUSED" ? tone::bad : tone::dim;
  } else {
    measured = find(family, best->candidate);
    row.best = best->candidate;
    row.ratio = ratio_with_interval(best->ratio, best->ci);
    row.verdict = best->judged ? name(best->verdict) : "not judged";
    row.look = best->judged ? report::tone_of(best->verdict) : tone::dim;
  }
  if (measured) row.of_ceiling = ceiling_in_words(*measured);
  return row;
}

}  // namespace

summary_row summarized(std::span<const model::family* const> problems) {
  expects(!problems.empty(), "a line of the summary has a family");
  auto row = problems.size() == 1 ? of_one(*problems.front()) : over_all(problems);
  if (row.values.empty()) row.values = row.problem;
  row.experiment = problems.front()->experiment;
  row.title = problems.front()->title;
  row.backend = problems.front()->backend;
  return row;
}

std::string values_of(const model::problem_point& problem) {
  std::vector<std::string> values;
  for (const auto& [axis, value] : problem) values.push_back(model::text(value));
  return join(values, ", ");
}

std::vector<std::vector<const model::family*>> summary_groups(const model::run& run) {
  std::vector<std::vector<const model::family*>> groups;
  for (const auto& f : run.families) {
    const auto at = std::ranges::find_if(groups, [&](const auto& group) {
      return group.front()->experiment == f.experiment && group.front()->backend == f.backend;
    });
    (at == groups.end() ? groups.emplace_back() : *at).push_back(&f);
  }
  return groups;
}

}  // namespace ridge::report
