// SPDX-License-Identifier: Apache-2.0
#include "ci/ci_session.hpp"

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>

#include "builds/build_arms.hpp"
#include "builds/watched_step.hpp"
#include "catalogue/variant_pair.hpp"
#include "programs/command_words.hpp"
#include "programs/program_arms.hpp"
#include "session/contest.hpp"

namespace ridge::app {
namespace {

// Six rounds make an interval; calibration and warm-up take one each.
constexpr double fewest_rounds = 8;

ci_benchmark without(std::string name, std::string why, bool failed) {
  return {.name = std::move(name), .left_out = std::move(why), .failed = failed};
}

}  // namespace

ci_session::ci_session(const context& program, ci_plan plan, std::filesystem::path base,
                       std::filesystem::path head)
    : program_(program), plan_(std::move(plan)), base_(std::move(base)), head_(std::move(head)) {}

result<void> ci_session::build(const std::string& name, const std::filesystem::path& checkout) const {
  progress_line line(program_.err);
  for (const auto& one : plan_.builds) {
    const auto made = run_step({"building the " + name, {"/bin/sh", "-c", one}, checkout.string()}, line);
    if (!made) return made.why();
  }
  return {};
}

double ci_session::seconds_left() const { return plan_.budget_s - (harness::monotonic_seconds() - start_s_); }

template <class Arms>
ci_benchmark ci_session::measured(std::string name, Arms& arms, const std::vector<model::metric>& metrics,
                                  double round_s, std::size_t left) const {
  const double needed_s = fewest_rounds * round_s;
  if (needed_s > seconds_left())
    return without(std::move(name),
                   fmt::format("six rounds take {}, and {} of the budget were left", duration_text(needed_s),
                               duration_text(seconds_left())),
                   false);
  const double share_s = std::max(needed_s, seconds_left() / static_cast<double>(left));
  auto family =
      measure_contest(program_,
                      {.names = {{"base", "", name}, {"head", "", name}},
                       .metrics = metrics,
                       .protocol = {.budget_s = share_s, .min_effect = plan_.min_effect, .seed = plan_.seed},
                       .label = name + " "},
                      arms);
  family.experiment = "ci";
  family.title = name;
  family.problem = {{"benchmark", name}};
  family.seed = plan_.seed;
  return {.name = std::move(name), .measured = {std::move(family)}};
}

ci_benchmark ci_session::bench(const std::string& line, std::size_t left) {
  auto words = plan_.shell.empty() ? command_words(line) : result(plan_.shell);
  if (!words) return without(line, words.why().text(), true);
  if (!plan_.shell.empty()) words->push_back(line);
  std::vector<program_line> programs;
  for (const auto* folder : {&base_, &head_})
    programs.push_back(
        {.name = folder == &base_ ? "base" : "head", .words = *words, .folder = folder->string()});
  program_arms arms(programs, {}, nullptr);
  const double start = harness::monotonic_seconds();
  arms.try_each();
  return measured(line, arms, arms.what(), harness::monotonic_seconds() - start, left);
}

ci_benchmark ci_session::experiment(const std::string& target, std::size_t left) {
  const auto [id, variant] = parse_address(target);
  if (variant.empty())
    return without(target, "it names no variant: write ID:VARIANT, as `ridge show ID` lists them", true);
  build_arms arms({(base_ / plan_.program).string(), (head_ / plan_.program).string()},
                  worker_words(id, variant, {}), variant);
  const double start = harness::monotonic_seconds();
  const auto metric = arms.try_each();
  return measured(target, arms, {metric}, harness::monotonic_seconds() - start, left);
}

std::vector<ci_benchmark> ci_session::not_built(const error& why) const {
  std::vector<ci_benchmark> all;
  for (const auto* names : {&plan_.benches, &plan_.targets}) {
    for (const auto& name : *names) all.push_back(without(name, why.text(), true));
  }
  return all;
}

std::vector<ci_benchmark> ci_session::measure() {
  std::vector<ci_benchmark> all;
  start_s_ = harness::monotonic_seconds();
  std::size_t left = plan_.benches.size() + plan_.targets.size();
  const auto add = [&](const std::string& name, auto run) {
    if (interrupted()) {
      all.push_back(without(name, "interrupted", false));
      return;
    }
    try {
      all.push_back(run());
    } catch (const interrupted_early&) {
      all.push_back(without(name, "interrupted", false));
    } catch (const interrupted_step&) {
      all.push_back(without(name, "interrupted", false));
    } catch (const failure& why) {
      all.push_back(without(name, why.why().text(), true));
    }
    --left;
  };
  for (const auto& line : plan_.benches) add(line, [&] { return bench(line, left); });
  for (const auto& target : plan_.targets) add(target, [&] { return experiment(target, left); });
  return all;
}

}  // namespace ridge::app
