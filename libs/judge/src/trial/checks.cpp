// SPDX-License-Identifier: Apache-2.0
#include "trial/checks.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/harness/session_checks.hpp>

namespace ridge::judge {
namespace {

using model::check;
using model::outcome;

constexpr double hand_over_at_most = 0.02;       // of the shortest sample
constexpr double processor_at_most = 1.05;       // processor time over wall time, for each thread
constexpr double unaccounted_at_most = 0.01;     // of the processor time in samples
constexpr double unaccounted_at_least_s = 2e-3;  // below it, the kernel's own accounting
constexpr double reading_at_most = 1.5;          // time after the candidate over that after the baseline
constexpr double gain_that_asks = 10;

check verified_check(const trial_evidence& e) {
  check made{.id = "verified",
             .result = outcome::pass,
             .value = static_cast<double>(e.edge_problems),
             .unit = "problems"};
  if (e.method.empty()) {
    made.result = outcome::warn;
    made.evidence = "the experiment states no oracle and no property";
  } else if (e.edges) {
    made.evidence =
        fmt::format("{} problems, every edge size among them, in processes of their own", e.edge_problems);
  } else {
    made.evidence = "the judged problem alone: edge sizes were not asked for";
  }
  return made;
}

check timed_check(const trial_evidence& e) {
  check made{.id = "timed_results",
             .result = outcome::pass,
             .value = static_cast<double>(e.rechecked.rounds),
             .limit = static_cast<double>(e.arms.kept().size()),
             .unit = "rounds"};
  if (!e.rechecked.wrong.empty()) {
    made.result = outcome::fail;
    made.evidence = e.rechecked.wrong;
  } else if (e.rechecked.rounds == 0 && !e.method.empty()) {
    made.result = outcome::fail;
    made.evidence = "no timed result was recomputed";
  } else {
    made.evidence = fmt::format(
        "{} pairs of samples agree in every element; {} calls of {} rounds drawn at random recomputed by {}",
        e.arms.compared(), e.rechecked.calls, e.rechecked.rounds, e.method.empty() ? "nothing" : e.method);
  }
  return made;
}

check guards_of_trial(const trial_evidence& e) {
  return {.id = "guards",
          .result = e.damage.empty() ? outcome::pass : outcome::fail,
          .evidence = e.damage.empty() ? "the red zones around every output are as they were" : e.damage};
}

check sandbox_check(const trial_evidence& e) {
  std::string refused;
  for (const auto& one : grants_of(e.candidate.sandbox())) {
    if (!one.granted) refused += fmt::format("{}{}: {}", refused.empty() ? "" : "; ", one.part, one.refused);
  }
  return {.id = "sandbox",
          .result = refused.empty() ? outcome::pass : outcome::warn,
          .evidence = refused.empty() ? "the kernel granted every part" : "not granted: " + refused};
}

check suspended_check(const trial_evidence& e) {
  const double used = e.candidate.unaccounted_s();
  const double most =
      std::max(unaccounted_at_least_s, unaccounted_at_most * e.arms.account(candidate_arm).processor_s);
  return {.id = "suspended",
          .result = used <= most ? outcome::pass : outcome::fail,
          .value = used,
          .limit = most,
          .unit = "s",
          .evidence = used <= most ? "the candidate computes in its samples alone"
                                   : "the candidate used processor time while it should have been stopped"};
}

check processor_check(const trial_evidence& e) {
  const auto& seen = e.arms.account(candidate_arm);
  const double share = seen.wall_s > 0 ? seen.processor_s / seen.wall_s : 0;
  const double most = processor_at_most * e.threads;
  return {.id = "cpu_time",
          .result = share <= most ? outcome::pass : outcome::fail,
          .value = share,
          .limit = most,
          .unit = "1",
          .evidence = fmt::format("processor time over wall time in the candidate's samples, on {} {}",
                                  e.threads, e.threads == 1 ? "thread" : "threads")};
}

// Work of a candidate that the GPU still does after its samples, by whatever context, delays what this
// process reads there.
check idle_gpu_check(const trial_evidence& e) {
  const double after_baseline = e.reading_s[baseline_arm];
  const double share = after_baseline > 0 ? e.reading_s[candidate_arm] / after_baseline : 1;
  return {
      .id = "idle_gpu",
      .result = share <= reading_at_most ? outcome::pass : outcome::fail,
      .value = share,
      .limit = reading_at_most,
      .unit = "1",
      .evidence = share <= reading_at_most
                      ? "reading results takes as long after the candidate's samples as after the baseline's"
                      : "the GPU still works for the candidate when its samples are over"};
}

check resolution_of_trial(const trial_evidence& e) {
  double shortest = 0;
  for (const auto& arm : e.session.arms) {
    const auto least = std::ranges::min_element(arm.seconds);
    if (least != arm.seconds.end() && (shortest == 0 || *least < shortest)) shortest = *least;
  }
  const double share = shortest > 0 ? e.hand_over_s / shortest : 1;
  return {.id = "resolution",
          .result = share <= hand_over_at_most ? outcome::pass : outcome::warn,
          .value = share,
          .limit = hand_over_at_most,
          .unit = "1",
          .evidence = fmt::format("a hand-over to a runner takes {}, the shortest sample {}",
                                  format_quantity(e.hand_over_s, "s"), format_quantity(shortest, "s"))};
}

check speedup_of_trial(const harness::pairing_result& pair) {
  const double ratio = pair.estimate.ratio;
  return {.id = "speedup",
          .result = ratio > gain_that_asks ? outcome::warn : outcome::pass,
          .value = ratio,
          .limit = gain_that_asks,
          .unit = "1",
          .evidence = ratio > gain_that_asks ? "a gain above ten times wants an explanation by its author"
                                             : "no gain above ten times"};
}

outcome outcome_among(const std::vector<check>& checks, std::string_view id) {
  const auto found = std::ranges::find(checks, id, &check::id);
  return found == checks.end() ? outcome::skipped : found->result;
}

}  // namespace

std::vector<sandbox_grant> grants_of(const sandbox_report& report) {
  std::vector<sandbox_grant> all;
  for (std::size_t i = 0; i < sandbox_parts; ++i) {
    const auto code = report.code[i];
    sandbox_grant one{.part = std::string(name(static_cast<sandbox_part>(i))), .granted = code == 0};
    if (code == sandbox_report::not_asked) {
      one.refused = "the runner ended before";
    } else if (code != 0) {
      one.refused = std::strerror(code);
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<check> checks_of(const trial_evidence& e) {
  const auto& pair = e.session.results.front();
  std::vector<check> all{verified_check(e),
                         timed_check(e),
                         guards_of_trial(e),
                         sandbox_check(e),
                         suspended_check(e),
                         processor_check(e),
                         resolution_of_trial(e),
                         harness::warm_check(e.session),
                         harness::control_check(e.session),
                         harness::drift_check(pair),
                         harness::dependence_check(pair),
                         harness::interference_check(e.session, e.meter ? &e.arms.disturbance() : nullptr),
                         speedup_of_trial(pair)};
  if (e.on_gpu) all.push_back(idle_gpu_check(e));
  return all;
}

void conclude(judgement& made) {
  if (!made.session || made.session->results.empty()) return;
  made.verdict = made.session->results.front().verdict;
  const bool verified = outcome_among(made.checks, "verified") == outcome::pass;
  const bool failed =
      std::ranges::any_of(made.checks, [](const check& one) { return one.result == outcome::fail; });
  if (!verified) made.verdict = model::verdict::unverified;
  if (failed) made.verdict = model::verdict::invalid;
  if (!verified || failed) return;
  const bool plain = outcome_among(made.checks, "sandbox") == outcome::pass &&
                     outcome_among(made.checks, "speedup") == outcome::pass;
  made.assurance = plain ? 2 : 1;
}

}  // namespace ridge::judge
