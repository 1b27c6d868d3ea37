// SPDX-License-Identifier: Apache-2.0
#include "ci/ci_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/report/words.hpp>

#include "ci/junit.hpp"

namespace ridge::app {
namespace {

constexpr std::size_t shown_of_commit = 9;

std::string value_of(const model::family& family, std::size_t arm) {
  if (arm >= family.measurements.size() || family.measurements[arm].metrics.empty()) return "-";
  const auto& seen = family.measurements[arm].metrics.front();
  return report::with_interval(seen.median, seen.ci, seen.metric.unit);
}

std::string table_row(const ci_benchmark& one, double min_effect) {
  const auto name = markdown_code_cell(one.name);
  const auto* judged = judged_comparison(one);
  if (judged == nullptr)
    return fmt::format("| {} | | | | {} |\n", name, one.failed ? "**failed**" : "left out");
  const auto verdict = report::verdict_in_words(*judged, min_effect);
  const bool alarming =
      judged->verdict == model::verdict::worse || judged->verdict == model::verdict::invalid;
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, value_of(one.measured.front(), 0),
                     value_of(one.measured.front(), 1),
                     report::ratio_with_interval(judged->ratio, judged->ci),
                     alarming ? "**" + verdict + "**" : verdict);
}

std::string summary(const ci_outcome& outcome) {
  std::vector<std::pair<std::string, int>> counts;
  const auto count = [&](const std::string& word) {
    const auto known = std::ranges::find(counts, word, &std::pair<std::string, int>::first);
    known == counts.end() ? counts.emplace_back(word, 1).second : ++known->second;
  };
  for (const auto& one : outcome.benchmarks) {
    const auto* judged = judged_comparison(one);
    count(judged != nullptr ? std::string(model::name(judged->verdict)) : one.failed ? "failed" : "left out");
  }
  std::string text;
  for (const auto& [word, number] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, word);
  return text;
}

}  // namespace

const model::comparison* judged_comparison(const ci_benchmark& benchmark) {
  if (benchmark.measured.empty()) return nullptr;
  const auto& all = benchmark.measured.front().comparisons;
  const auto found = std::ranges::find_if(all, [](const auto& c) { return c.judged; });
  return found == all.end() ? nullptr : &*found;
}

std::string failure_under(const fail_on& rules, const ci_benchmark& benchmark, double min_effect) {
  if (benchmark.failed) return benchmark.left_out;
  const auto* judged = judged_comparison(benchmark);
  if (judged == nullptr) return {};
  using enum model::verdict;
  const auto verdict = judged->verdict;
  const bool fails = verdict == invalid || verdict == unverified || (rules.worse && verdict == worse) ||
                     (rules.inconclusive && verdict == inconclusive);
  return fails ? fmt::format("{}, {}", report::verdict_in_words(*judged, min_effect),
                             report::ratio_with_interval(judged->ratio, judged->ci))
               : "";
}

std::string ci_markdown(const ci_outcome& outcome) {
  const auto& machine = outcome.run.environment;
  auto text = fmt::format("<!-- ridge ci -->\n### Ridge: {}\n\n", summary(outcome));
  text += fmt::format(
      "`{}` (head) against `{}` (base, {}), each built once, their processes interleaved on one "
      "machine. Ratios above 1 mean that the head is better.\n\n",
      outcome.head.substr(0, shown_of_commit), outcome.base.substr(0, shown_of_commit),
      markdown_escaped(outcome.base_name));
  text += fmt::format("| benchmark | base | head | {} | verdict |\n| --- | ---: | ---: | ---: | --- |\n",
                      report::interval_title(outcome.run));
  for (const auto& one : outcome.benchmarks) text += table_row(one, outcome.run.min_effect);
  bool titled = false;
  for (const auto& one : outcome.benchmarks) {
    if (one.left_out.empty()) continue;
    if (!titled) text += "\nNot measured:\n";
    titled = true;
    text += fmt::format("- {}: {}\n", markdown_code(one.name), markdown_escaped(one.left_out));
  }
  return text + fmt::format("\n<sub>{}, {} · smallest effect that matters {:g} % · seed {}</sub>\n",
                            markdown_escaped(machine.machine), outcome.run.started,
                            outcome.run.min_effect * 100, outcome.run.seed);
}

std::string ci_junit(const ci_outcome& outcome, const fail_on& rules) {
  std::vector<junit_case> cases;
  for (const auto& one : outcome.benchmarks)
    cases.push_back({.name = one.name,
                     .seconds = one.measured.empty() ? 0 : one.measured.front().wall_s,
                     .failure = failure_under(rules, one, outcome.run.min_effect),
                     .skipped = one.left_out});
  return junit_text("ridge ci", "ridge.ci", cases, outcome.run.wall_s);
}

}  // namespace ridge::app
