// SPDX-License-Identifier: Apache-2.0
#include "gate/gate_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/base/escape.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/table.hpp>
#include <ridge/report/words.hpp>

#include "ci/junit.hpp"
#include "stored/changes_text.hpp"

namespace ridge::app {
namespace {

bool changed(const gate_finding& one) {
  return one.outcome != gate_outcome::steady && one.outcome != gate_outcome::unknown;
}

bool counts(const gate_rules& rules, const gate_finding& one) {
  return one.direction == changes::direction::worse ? rules.slower : rules.faster;
}

std::string levels_text(const gate_finding& one) {
  const auto& unit = one.series.metric.unit;
  return fmt::format("{} -> {}", format_quantity(one.level, unit), format_quantity(one.value, unit));
}

std::string ratio_text(const gate_finding& one) {
  return std::isfinite(one.ratio) ? fmt::format("{:.3f}×", one.ratio) : "-";
}

std::string again_text(const gate_finding& one) {
  return one.again ? "measured again: " + report::ratio_with_interval(one.again->ratio, one.again->ci)
                   : one.why;
}

// Returns "worse, 1 ms -> 1.1 ms (0.909×, q 0.0005), confirmed; measured again: 0.91× [0.90, 0.92]".
std::string change_text(const gate_finding& one) {
  auto text = fmt::format("{}, {} ({}", changes::name(one.direction), levels_text(one), ratio_text(one));
  if (one.q) text += ", " + q_text(*one.q);
  text += fmt::format("), {}", name(one.outcome));
  const auto more = again_text(one);
  return more.empty() ? text : text + "; " + more;
}

std::string summary(std::span<const gate_finding> findings) {
  std::map<gate_outcome, int> counts;
  for (const auto& one : findings) ++counts[one.outcome];
  std::string text;
  for (const auto& [outcome, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name(outcome));
  return text.empty() ? "no series is stored" : text;
}

std::string against_text(const std::string& baseline) {
  return baseline.empty() ? "each series against its own history" : "the newest runs against " + baseline;
}

// Percent signs and ends of lines would end a workflow command; colons and commas, one of its properties.
std::string command_escaped(const std::string& text, bool property) {
  std::string escaped;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    special ? escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c)) : escaped += c;
  }
  return escaped;
}

}  // namespace

std::string failure_under(const gate_rules& rules, const gate_finding& finding) {
  const bool stands =
      finding.outcome == gate_outcome::suspected || finding.outcome == gate_outcome::confirmed;
  return stands && counts(rules, finding) ? change_text(finding) : "";
}

int exit_code_of(const gate_rules& rules, std::span<const gate_finding> findings) {
  if (std::ranges::any_of(findings, [&](const auto& one) { return !failure_under(rules, one).empty(); }))
    return exit_code::worse;
  if (std::ranges::any_of(findings, [&](const auto& one) {
        return one.outcome == gate_outcome::inconclusive && counts(rules, one);
      }))
    return exit_code::inconclusive;
  const bool nothing =
      std::ranges::all_of(findings, [](const auto& one) { return one.outcome == gate_outcome::unknown; });
  return nothing ? exit_code::unavailable : exit_code::good;
}

std::string gate_text(std::span<const gate_finding> findings, const std::string& baseline,
                      const terminal& screen) {
  using report::align;
  report::table table({{""}, {"", align::right}, {"", align::right}, {""}, {""}});
  for (const auto& one : findings) {
    if (!changed(one)) continue;
    const auto tone = one.direction == changes::direction::worse ? report::tone::bad : report::tone::good;
    table.row({{series_text(one.workload, one.series)},
               {levels_text(one)},
               {ratio_text(one)},
               {std::string(changes::name(one.direction)), tone},
               {std::string(name(one.outcome))}});
    if (const auto more = again_text(one); !more.empty()) table.note(more, 4);
  }
  return table.text(layout_on(screen)) + fmt::format("{}: {}\n", against_text(baseline), summary(findings));
}

std::string gate_markdown(std::span<const gate_finding> findings, const std::string& baseline) {
  auto text = fmt::format("<!-- ridge gate -->\n### Ridge: {}\n\n{}. Ratios above 1 are better.\n",
                          summary(findings), markdown_escaped(against_text(baseline)));
  bool titled = false;
  for (const auto& one : findings) {
    if (!changed(one)) continue;
    if (!titled)
      text += "\n| series | before | since | ratio | | outcome |\n| --- | ---: | ---: | ---: | --- | --- |\n";
    titled = true;
    const auto& unit = one.series.metric.unit;
    const auto more = again_text(one);
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {}{} |\n", markdown_code_cell(series_text(one.workload, one.series)),
        format_quantity(one.level, unit), format_quantity(one.value, unit), ratio_text(one),
        changes::name(one.direction), name(one.outcome), more.empty() ? "" : "; " + markdown_escaped(more));
  }
  return text;
}

std::string gate_junit(std::span<const gate_finding> findings, const gate_rules& rules) {
  std::vector<junit_case> cases;
  for (const auto& one : findings) {
    cases.push_back(
        {.name = fmt::format("{} on {}", series_text(one.workload, one.series), one.workload.machine),
         .failure = failure_under(rules, one),
         .skipped = one.outcome == gate_outcome::unknown ? one.why : ""});
  }
  return junit_text("ridge gate", "ridge.gate", cases, 0);
}

std::string gate_annotations(std::span<const gate_finding> findings, const gate_rules& rules) {
  std::string lines;
  for (const auto& one : findings) {
    if (!changed(one)) continue;
    const bool doubtful = one.outcome == gate_outcome::inconclusive && counts(rules, one);
    const auto* level = !failure_under(rules, one).empty() ? "error" : doubtful ? "warning" : "notice";
    lines += fmt::format("::{} title={}::{}\n", level,
                         command_escaped("Ridge: " + series_text(one.workload, one.series), true),
                         command_escaped(change_text(one), false));
  }
  return lines;
}

}  // namespace ridge::app
