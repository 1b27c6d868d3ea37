// SPDX-License-Identifier: Apache-2.0
#include "session/fail_on.hpp"

#include <algorithm>
#include <vector>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

bool any_comparison(const model::run& run, auto holds) {
  return std::ranges::any_of(run.families, [&](const auto& f) {
    return std::ranges::any_of(f.comparisons, [&](const auto& c) { return c.judged && holds(c.verdict); });
  });
}

// Why there are no results of the family, as the check of this id says it; empty where it says no such thing.
std::string failure_by(const model::family& family, std::string_view id) {
  const auto found = std::ranges::find_if(family.checks, [&](const auto& check) {
    return check.id == id && check.result != model::outcome::pass;
  });
  return found == family.checks.end() ? std::string() : found->evidence;
}

bool any_refused(const model::run& run) {
  return std::ranges::any_of(run.families, [](const auto& f) {
    return !failure_by(f, "harness").empty() || std::ranges::any_of(f.measurements, [](const auto& m) {
      return !m.refused.empty() && m.failure != model::failure_kind::out_of_memory;
    });
  });
}

// Memory that a machine lacks says nothing of a variant.
bool any_without_memory(const model::run& run) {
  return std::ranges::any_of(run.families, [](const auto& f) {
    return !failure_by(f, "capacity").empty() || std::ranges::any_of(f.measurements, [](const auto& m) {
      return !m.refused.empty() && m.failure == model::failure_kind::out_of_memory;
    });
  });
}

}  // namespace

result<fail_on> parse_fail_on(std::string_view list) {
  fail_on rules;
  if (list.empty()) return rules;
  const std::vector<std::string> known{"worse", "slower", "inconclusive", "invalid"};
  for (const auto part : split(list, ',')) {
    const auto word = trim(part);
    if (word == "worse" || word == "slower") {
      rules.worse = true;
    } else if (word == "inconclusive") {
      rules.inconclusive = true;
    } else if (word != "invalid") {
      return unknown_name("verdict for --fail-on", word, known, "one of " + join(known, ", "));
    }
  }
  return rules;
}

std::string fail_on_help() {
  return "Verdicts that make the call fail: worse (exit 1), inconclusive (exit 3); invalid always does (exit "
         "2)";
}

std::string failure_of(const model::family& family) {
  const auto failed = failure_by(family, "harness");
  return failed.empty() ? failure_by(family, "capacity") : failed;
}

int exit_code_of(const model::run& run, const fail_on& rules) {
  using enum model::verdict;
  if (any_refused(run) || any_comparison(run, [](auto v) { return v == invalid || v == unverified; }))
    return exit_code::refused;
  const bool nothing_measured = run.families.empty() && !run.left_out.empty();
  if (any_without_memory(run) || nothing_measured) return exit_code::unavailable;
  if (rules.worse && any_comparison(run, [](auto v) { return v == worse; })) return exit_code::worse;
  if (rules.inconclusive && any_comparison(run, [](auto v) { return v == inconclusive; }))
    return exit_code::inconclusive;
  return exit_code::good;
}

int exit_code_of_gate(const model::run& run) {
  const int code = exit_code_of(run, {.worse = true});
  const bool judged = any_comparison(run, [](auto) { return true; });
  return code == exit_code::good && !judged ? exit_code::unavailable : code;
}

}  // namespace ridge::app
