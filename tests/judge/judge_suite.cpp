// SPDX-License-Identifier: Apache-2.0
// Judges every cheat of tests/cheats, and every honest twin, as `ridge judge` would: which of them are still
// believed. By hand: judge_suite [WORD...] judges those whose ids contain one of the words.
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <cheats.hpp>
#include <ridge/base/error.hpp>

#include <ridge/judge/runner.hpp>

#include "judged.hpp"

namespace ridge::judge {
namespace {

constexpr std::string_view prefix = "cheats.";

experiment question_of(const std::string& id) {
  const auto name = id.starts_with(prefix) ? id.substr(prefix.size()) : id;
  for (const auto& one : cheats::all_cheats()) {
    if (one.id == name) return one.question(name);
  }
  for (const auto& one : cheats::honest_twins()) {
    if (one.id == name) return one.question(name);
  }
  throw failure({"there is no cheat " + id, ""});
}

struct seen_suite {
  int judged = 0, believed = 0, refused = 0, not_judged = 0, objected = 0;
};

// A candidate's line: what became of it. Believed: BETTER without an objection.
void judge_one(const std::string& id, std::string_view kind, seen_suite& seen) {
  const auto entry = question_of(id);
  auto made = judge(own_variant{"candidate"}, entry, entry.problems().front(), "baseline",
                    instruments_of_tests(), {.budget_s = 0.3, .time_limit_s = 3, .seed = 20261123});
  if (!made) {
    ++seen.not_judged;
    std::printf("%-44s %-6s not judged: %s\n", id.c_str(), kind.data(), made.why().message.c_str());
    return;
  }
  ++seen.judged;
  const bool better = made->verdict == model::verdict::better;
  const bool invalid = made->refused.empty() && made->verdict == model::verdict::invalid;
  seen.believed += better ? 1 : 0;
  seen.refused += made->refused.empty() ? 0 : 1;
  seen.objected += invalid ? 1 : 0;
  std::string why = made->refused;
  for (const auto& one : made->checks) {
    if (invalid && one.result == model::outcome::fail) why += one.id + ": " + one.evidence;
  }
  std::printf(
      "%-44s %-6s %-12s %6.3f %s\n", id.c_str(), kind.data(), std::string(model::name(made->verdict)).c_str(),
      made->session ? made->session->results.front().estimate.ratio : 0.0, why.substr(0, 110).c_str());
  std::fflush(stdout);
}

void judge_safely(const std::string& id, std::string_view kind, seen_suite& seen) {
  try {
    judge_one(id, kind, seen);
  } catch (const std::exception& thrown) {
    ++seen.not_judged;
    std::printf("%-44s %-6s failed: %s\n", id.c_str(), kind.data(), thrown.what());
  }
}

void print_summary(const char* what, const seen_suite& seen) {
  std::printf("%s: %d judged, %d BETTER, %d refused, %d INVALID; %d not judged\n", what, seen.judged,
              seen.believed, seen.refused, seen.objected, seen.not_judged);
}

int run_suite(const std::vector<std::string>& words) {
  seen_suite cheating, honest;
  for (const auto& one : cheats::all_cheats()) {
    if (cheats::is_asked_for(one.id, words))
      judge_safely(one.id, one.open.empty() ? "caught" : "open", cheating);
  }
  for (const auto& one : cheats::honest_twins()) {
    if (cheats::is_asked_for(one.id, words)) judge_safely(one.id, "honest", honest);
  }
  print_summary("cheats", cheating);
  print_summary("honest twins", honest);
  return 0;
}

}  // namespace
}  // namespace ridge::judge

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "judge-runner")
    return ridge::judge::run_as_runner(ridge::judge::question_of, {});
  return ridge::judge::run_suite({argv + 1, argv + argc});
}
