// SPDX-License-Identifier: Apache-2.0
#include "programs/bench_session.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/app/backends.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/resident_memory.hpp>
#include <ridge/measure/child_events.hpp>
#include <ridge/stats/quantile.hpp>

#include "session/contest.hpp"

namespace ridge::app {
namespace {

using event_maker = std::unique_ptr<measure::child_events>(const std::vector<std::string>&);
constexpr int shell_starts = 21;

// The arms whose rounds the session's clock counts; the clock is a plain function.
const program_arms* counted = nullptr;
double counted_seconds() { return counted->budget_seconds(); }

// Removes peaks of memory that cannot be resolved: the kernel starts the peak of a child at the size of its
// parent.
void drop_unresolved_peaks(model::family& family, double floor) {
  std::vector<std::string> unresolved;
  for (auto& m : family.measurements) {
    if (m.memory.peak_bytes > floor) continue;
    m.memory.peak_bytes = 0;
    m.idea = "peak memory below " + format_quantity(floor, "B");
    unresolved.push_back(m.variant);
  }
  std::erase_if(family.comparisons, [&](const auto& c) {
    return c.metric.name == "peak_memory" && (std::ranges::count(unresolved, c.candidate) > 0 ||
                                              std::ranges::count(unresolved, c.reference) > 0);
  });
}

bool is_event(const model::metric& metric) { return metric.unit.empty(); }

// Removes events whose counter never ran while a program did: that is not a count of 0.
void drop_uncounted_events(model::family& family) {
  for (auto& m : family.measurements) {
    const auto is_uncounted = [](const model::series& s) {
      return is_event(s.metric) && std::ranges::none_of(s.value, [](double x) { return std::isfinite(x); });
    };
    for (const auto& s : m.samples) {
      if (!is_uncounted(s)) continue;
      std::erase_if(m.metrics, [&](const auto& seen) { return seen.metric.name == s.metric.name; });
      std::erase_if(family.comparisons, [&](const auto& c) {
        return c.metric.name == s.metric.name && (c.candidate == m.variant || c.reference == m.variant);
      });
      family.checks.push_back({.id = "event " + s.metric.name,
                               .result = model::outcome::skipped,
                               .evidence = m.variant + " ended before the kernel gave it a counter"});
    }
    std::erase_if(m.samples, is_uncounted);
  }
}

// Adds the median counts of each program's events to its line.
void note_events(model::family& family) {
  for (auto& m : family.measurements) {
    for (const auto& seen : m.metrics) {
      if (!is_event(seen.metric)) continue;
      if (!m.idea.empty()) m.idea += " · ";
      m.idea += fmt::format("{} {}", format_grouped(static_cast<long long>(seen.median)), seen.metric.name);
    }
  }
}

}  // namespace

bench_session::bench_session(const context& program, bench_protocol protocol)
    : program_(program), protocol_(std::move(protocol)) {
  auto* const make = find_factory<event_maker>(measure_backends(), "perf_event");
  if (!protocol_.events.empty() && make != nullptr) events_ = make(protocol_.events);
}

bench_session::~bench_session() = default;

std::vector<std::string> bench_session::unknown_events() const {
  std::vector<std::string> all;
  if (!events_) return all;
  for (const auto& [name, why] : events_->refused()) {
    if (why.starts_with("no such event")) all.push_back(fmt::format("\"{}\": {}", name, why));
  }
  return all;
}

// Says how long the shell takes to start, which every time includes. Nothing is subtracted: the difference of
// two programs is the same with and without it, and a time with a subtrahend has no samples of its own.
std::string bench_session::shell_start() const {
  if (protocol_.shell.empty()) return {};
  auto words = protocol_.shell;
  words.emplace_back(":");
  std::vector<double> times;
  for (int i = 0; i < shell_starts && !interrupted(); ++i)
    times.push_back(host::run_program({.command = words}).wall_s);
  return fmt::format("Every time includes the start of the shell ({}), which takes {} here.",
                     protocol_.shell.front(), format_quantity(stats::median(times), "s"));
}

void bench_session::note_refused_events(model::family& family) const {
  if (!events_) return;
  for (const auto& [name, why] : events_->refused())
    family.checks.push_back({.id = "event " + name, .result = model::outcome::skipped, .evidence = why});
}

model::family bench_session::measured(const program_problem& problem, const std::string& label) {
  auto rules = protocol_.rules;
  if (rules.budget_s <= 0) rules.budget_s = 3.0 * static_cast<double>(problem.programs.size());
  program_arms arms(problem.programs, rules, events_.get());
  arms.try_each();
  for (int i = 0; i < protocol_.warmup; ++i) {
    for (std::size_t arm = 0; arm < arms.arms(); ++arm) arms.run_untimed(arm);
  }
  harness::protocol protocol{
      .budget_s = rules.budget_s, .min_effect = protocol_.min_effect, .seed = protocol_.seed};
  // A number of runs that was asked for is made, however clear the result is before.
  if (rules.least_runs > 0) protocol.target_half_width = protocol.clear_half_width = 0;
  std::vector<arm_name> names;
  for (const auto& one : problem.programs) names.push_back({one.name, "", one.name});
  counted = &arms;
  auto made = measure_contest(program_,
                              {.names = names,
                               .metrics = arms.what(),
                               .protocol = protocol,
                               .label = label,
                               .clock = counted_seconds},
                              arms);
  drop_unresolved_peaks(made, 1.02 * static_cast<double>(host::read_resident_memory().peak_bytes));
  drop_uncounted_events(made);
  note_events(made);
  for (std::size_t arm = 0; arm < arms.arms(); ++arm)
    results_.push_back({problem.programs[arm].name, problem.point, arms.runs()[arm]});
  return made;
}

void bench_session::clean_up(const program_problem& problem) const {
  for (const auto& line : problem.cleanup) run_clean_up(protocol_.rules.shell, "--cleanup", line);
}

// Measures one problem into families_, unless it is interrupted before six rounds.
void bench_session::measure_one(const program_problem& problem, const std::string& label,
                                const std::string& shell) {
  const auto set_up_and_measure = [&] {
    for (const auto& line : problem.setup) run_line(protocol_.rules.shell, "--setup", line);
    auto family = measured(problem, label);
    family.experiment = "bench";
    family.title = "Programs";
    family.question = shell;
    family.problem = problem.point;
    family.seed = protocol_.seed;
    note_refused_events(family);
    families_.push_back(std::move(family));
  };
  try {
    do_then_clean_up(set_up_and_measure, [&] { clean_up(problem); });
  } catch (const interrupted_early&) {  // it has no results
  }
}

void bench_session::measure(const std::vector<program_problem>& problems) {
  const auto shell = shell_start();
  for (std::size_t i = 0; i < problems.size() && !interrupted(); ++i) {
    const auto& point = problems[i].point;
    const auto label =
        point.empty() ? std::string() : fmt::format("{}/{} {} ", i + 1, problems.size(), model::text(point));
    measure_one(problems[i], label, shell);
  }
}

}  // namespace ridge::app
