// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <ridge/report/check_words.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/report/words.hpp>

namespace ridge::report {
namespace {

// Collects causes in the order in which they appear, each once with its cases.
class cause_list {
 public:
  void add(cause_kind kind, const std::string& text, const std::string& where) {
    auto at = std::ranges::find_if(all_, [&](const cause& c) { return c.kind == kind && c.text == text; });
    if (at == all_.end()) at = all_.insert(at, {.kind = kind, .text = text});
    if (std::ranges::find(at->cases, where) == at->cases.end()) at->cases.push_back(where);
  }
  std::vector<cause> take() && {
    std::ranges::stable_sort(all_, {}, &cause::kind);
    return std::move(all_);
  }

 private:
  std::vector<cause> all_{};
};

// Returns the text for a reason of several lines or for none: causes are equal where their first lines are.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void add_comparison(cause_list& list, const model::family& family, const model::comparison& c) {
  if (!c.judged) return;
  if (c.verdict == model::verdict::invalid) {
    const auto failed = std::ranges::find(c.checks, model::outcome::fail, &model::check::result);
    const auto text = failed == c.checks.end() ? "a check failed" : check_in_words(failed->id);
    list.add(cause_kind::invalid, text, fmt::format("{}/{}", family.experiment, c.candidate));
  }
  for (const auto& check : c.checks) {
    if (check.result == model::outcome::warn)
      list.add(cause_kind::warned, check_in_words(check.id), family.experiment);
  }
}

void add_family(cause_list& list, const model::family& family) {
  if (!family.skipped.empty()) list.add(cause_kind::skipped, first_line(family.skipped), family.experiment);
  for (const auto& m : family.measurements) {
    const auto where = fmt::format("{}/{}", family.experiment, m.variant);
    if (!m.refused.empty()) list.add(cause_kind::refused, first_line(failure_in_words(m)), where);
    if (!m.skipped.empty()) list.add(cause_kind::skipped, first_line(m.skipped), where);
  }
  for (const auto& c : family.comparisons) add_comparison(list, family, c);
  for (const auto& check : family.checks) {
    if (check.result == model::outcome::skipped && check.evidence == family.skipped) continue;
    if (check.result == model::outcome::skipped)
      list.add(cause_kind::unchecked, fmt::format("{}: {}", check.id, first_line(check.evidence)),
               family.experiment);
    else if (check.result == model::outcome::fail)
      list.add(cause_kind::invalid, check_in_words(check.id), family.experiment);
    else if (check.result == model::outcome::warn)
      list.add(cause_kind::warned, check_in_words(check.id), family.experiment);
  }
}

}  // namespace

std::vector<cause> causes(const model::run& run) {
  cause_list list;
  for (const auto& f : run.families) add_family(list, f);
  return std::move(list).take();
}

bool befell_all(const cause& cause, const model::run& run) {
  std::set<std::string> experiments;
  for (const auto& f : run.families) experiments.insert(f.experiment);
  return experiments.size() > 1 && std::ranges::all_of(experiments, [&](const auto& id) {
           return std::ranges::find(cause.cases, id) != cause.cases.end();
         });
}

}  // namespace ridge::report
