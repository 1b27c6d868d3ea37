// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <ridge/harness/measure_family.hpp>
#include <ridge/host/child_process.hpp>

#include "bare_arms.hpp"
#include "laboratory.hpp"
#include "surroundings.hpp"

namespace ridge::cheats {
namespace {

// Noise makes these object to anybody; counters, energy and ceilings are not there; every large gain and
// every reported metric is asked about, the honest ones too.
bool may_object(std::string_view check) {
  static constexpr std::array<std::string_view, 12> noisy{"speedup", "observed",   "interference", "warm",
                                                          "control", "counters",   "energy",       "ceilings",
                                                          "drift",   "dependence", "resolution",   "noise"};
  return std::ranges::find(noisy, check) == noisy.end();
}

void add_objections(std::vector<objection>& all, const std::vector<model::check>& checks) {
  for (const auto& check : checks) {
    const bool against = check.result == model::outcome::warn || check.result == model::outcome::fail;
    if (against && may_object(check.id)) all.push_back({check.id, check.evidence});
  }
}

std::vector<objection> objections_in(const model::family& f) {
  std::vector<objection> all;
  for (const auto& m : f.measurements) {
    const bool timed = m.refused.starts_with("timed results were wrong");
    const std::string kind = m.variant == "baseline" ? "baseline" : timed ? "timed_results" : "refused";
    if (!m.refused.empty()) all.push_back({kind, m.refused});
    if (!m.skipped.empty()) all.push_back({"skipped", m.skipped});
  }
  if (f.measurements.empty() && !f.skipped.empty()) all.push_back({"skipped", f.skipped});
  add_objections(all, f.checks);
  for (const auto& c : f.comparisons) {
    if (c.candidate == "candidate") add_objections(all, c.checks);
  }
  return all;
}

// What the checks measured whose limits are chosen by what honest twins show.
std::vector<objection> remarks_in(const model::family& f) {
  std::vector<objection> all;
  for (const auto& c : f.comparisons) {
    for (const auto& one : c.checks) {
      if (one.id == "fresh_calls" || one.id == "left_running" || one.id == "alone")
        all.push_back({one.id, one.evidence});
    }
  }
  for (const auto& m : f.measurements) {
    for (const auto& e : m.metrics)
      all.push_back({m.variant, fmt::format("{} {:.4g} {}", e.metric.name, e.median, e.metric.unit)});
    double busy_s = 0;
    for (const auto& k : m.kernels) busy_s += k.time_s;
    if (busy_s > 0) all.push_back({m.variant, fmt::format("kernels of a traced call {:.4g} s", busy_s)});
  }
  return all;
}

judgement judged(const model::family& f) {
  judgement made{.objections = objections_in(f), .remarks = remarks_in(f), .verdict = "none"};
  const auto first = std::ranges::find(f.comparisons, "candidate", &model::comparison::candidate);
  if (first != f.comparisons.end()) {
    made.verdict = model::name(first->verdict);
    made.assurance = first->assurance;
    made.ratio = first->ratio;
  }
  return made;
}

std::string line_of(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string told(const judgement& made) {
  std::string text = fmt::format("{}\n{} {}\n", made.verdict, made.assurance, made.ratio);
  for (const auto& one : made.objections) text += one.check + ' ' + line_of(one.evidence) + '\n';
  text += "remarks\n";
  for (const auto& one : made.remarks) text += one.check + ' ' + line_of(one.evidence) + '\n';
  return text + "end\n";
}

judgement understood(const std::string& text) {
  std::istringstream lines(text);
  judgement made;
  std::string line;
  std::getline(lines, made.verdict);
  std::getline(lines, line);
  std::istringstream(line) >> made.assurance >> made.ratio;
  auto* list = &made.objections;
  while (std::getline(lines, line) && line != "end") {
    if (line == "remarks") {
      list = &made.remarks;
      continue;
    }
    const auto space = line.find(' ');
    list->push_back({line.substr(0, space), line.substr(std::min(space + 1, line.size()))});
  }
  return made;
}

std::string run_family(question asked, const std::string& id, const judge_options& options) {
  redirect_output();
  return told(judged(options.measure(asked(id), options)));
}

// The baseline's least seconds of a sample over the candidate's, with fresh data before each sample; samples
// take 150 us of the baseline's time at least.
double least_ratio(bare_arms& arms) {
  std::array<double, 2> least{1e9, 1e9};
  std::uint64_t calls = 1;
  for (std::uint64_t round = 0; round < 48; ++round) {
    const auto member = round % arms.members();
    arms.draw(member, round);
    for (const std::size_t arm : {round / 4 % 2, 1 - round / 4 % 2}) {
      arms.poison(member);
      const double taken = arms.seconds(arm, member, calls);
      if (round >= 8) least[arm] = std::min(least[arm], taken);
      if (arm == 0 && round == 4)
        calls = static_cast<std::uint64_t>(std::clamp(std::ceil(150e-6 / taken), 1.0, 64.0));
    }
  }
  return least[0] / std::max(least[1], 1e-9);
}

}  // namespace

harness::run_options run_options_for(const judge_options& options) {
  harness::run_options run;
  run.profile.budget_per_arm_s = options.budget_per_arm_s;
  run.protocol.warm_up_max_s = std::min(run.protocol.warm_up_max_s, options.budget_per_arm_s);
  run.protocol.seed = options.seed;
  run.stall_limit_s = options.stall_limit_s;
  return run;
}

model::family measured_on_the_host(const experiment& asked, const judge_options& options) {
  const laboratory here;
  return harness::measure_family_in_child({asked, asked.problems().front(), model::backend::cpu},
                                          here.instruments, run_options_for(options));
}

std::string_view name(outcome seen) {
  switch (seen) {
    case outcome::caught:
      return "caught";
    case outcome::believed:
      return "believed";
    case outcome::without_gain:
      return "no gain";
    case outcome::lost:
      break;
  }
  return "lost";
}

namespace {

std::uintmax_t printed_bytes() {
  std::error_code missing;
  const auto bytes = std::filesystem::file_size(scratch_folder() + "/stdout", missing);
  return missing ? 0 : bytes;
}

}  // namespace

judgement judge(question asked, const std::string& id, bool must_look_better, const judge_options& options) {
  const auto printed_before = printed_bytes();
  const auto done = host::run_forked([&] { return run_family(asked, id, options); }, options.limit_s);
  if (!done.output.ends_with("end\n"))
    return {.outcome = outcome::lost, .verdict = "the process " + host::text(done.outcome)};
  auto made = understood(done.output);
  made.printed = printed_bytes() > printed_before;
  const bool better = made.verdict == model::name(model::verdict::better);
  made.outcome = !made.objections.empty()      ? outcome::caught
                 : must_look_better && !better ? outcome::without_gain
                                               : outcome::believed;
  return made;
}

bool is_caught_by(const cheat& judged, std::string_view check) {
  return std::ranges::find(judged.caught_by, check) != judged.caught_by.end();
}

judgement judge_cheat(const cheat& judged, judge_options options) {
  options.limit_s = judged.limit_s;
  const bool must_look_better = judged.gain == gain::time || is_caught_by(judged, "no_gain");
  judgement seen;
  for (int run = 0; run < judged.runs; ++run, options.seed += 7919)
    seen = judge(judged.question, judged.id, must_look_better, options);
  if (is_caught_by(judged, "discarded") && !seen.printed) seen.outcome = outcome::without_gain;
  return seen;
}

double measured_gain(question asked, const std::string& id, std::uint64_t seed) {
  const auto work = [&]() -> std::string {
    redirect_output();
    const laboratory here;
    const auto e = asked(id);
    bare_arms arms(e, here, seed, 4);
    return fmt::format("{}", least_ratio(arms));
  };
  const auto done = host::run_forked(work, 4);
  return std::strtod(done.output.c_str(), nullptr);
}

}  // namespace ridge::cheats
