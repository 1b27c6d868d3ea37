// SPDX-License-Identifier: Apache-2.0
#include "session/forked_run.hpp"

#include <cstdlib>
#include <random>
#include <variant>

#include <fmt/format.h>

#include <ridge/app/experiment_shelf.hpp>
#include <ridge/harness/forks.hpp>
#include <ridge/harness/scaling_check.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/child_process.hpp>
#include <ridge/model/json.hpp>

#include "modules/module_file.hpp"

namespace ridge::app {
namespace {

constexpr std::size_t most_padding = 4096;  // bytes of environment: they move the stack by a page at most

struct plain_value {
  std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
  std::string operator()(double x) const { return fmt::format("{}", x); }
  std::string operator()(const std::string& word) const { return word; }
};

std::vector<std::string> command_of(const harness::planned_family& family,
                                    const harness::run_options& options, const child_words& call,
                                    double arm_budget_s, std::uint64_t seed) {
  std::vector<std::string> words = call(family.experiment->id);
  words.insert(words.begin(), "/proc/self/exe");
  words.insert(words.end(), {"--format", "json", "--forks", "1"});
  const auto add = [&](std::string name, std::string value) {
    words.push_back(std::move(name));
    words.push_back(std::move(value));
  };
  for (const auto& [axis, value] : family.problem.point())
    add("--axis", axis + '=' + std::visit(plain_value{}, value));
  for (const auto& glob : options.variants) add("--variant", glob);
  add("--profile", options.profile.name);
  add("--backend", std::string(model::name(family.backend)));
  add("--min-effect", fmt::format("{}", options.protocol.min_effect));
  add("--seed", fmt::format("{}", seed));
  add("--arm-budget", fmt::format("{}s", arm_budget_s));
  return words;
}

model::family measured_by_child(const std::vector<std::string>& command) {
  const auto done = host::run_program({.command = command});
  auto run = model::run_from_json(done.output);
  if (!run || run->families.size() != 1) {
    throw unavailable(fmt::format("a process that should measure {}: {}", text(done.outcome), done.errors),
                      "run without --forks");
  }
  return std::move(run->families.front());
}

// The next process finds its stack elsewhere, and opens the chapter's next layout.
void move_memory_and_code(std::size_t process, int layouts, std::mt19937_64& random) {
  setenv("RIDGE_PADDING", std::string(random() % most_padding, 'x').c_str(), 1);
  setenv("RIDGE_LAYOUT", std::to_string(process % static_cast<std::size_t>(layouts)).c_str(), 1);
}

double arm_budget(const harness::run_options& o, double left_s, std::size_t families_left,
                  const experiment& entry) {
  const double forks = o.profile.forks;
  const double own = o.profile.budget_per_arm_s / forks;
  if (o.suite_budget_s <= 0) return own;
  const double arms = static_cast<double>(std::max<std::size_t>(1, entry->variants.size()));
  return std::min(own, std::max(0.02, 0.6 * left_s / static_cast<double>(families_left) / forks / arms));
}

}  // namespace

model::run run_forked(model::run header, const std::vector<harness::planned_family>& families,
                      const harness::instruments& instruments, const harness::run_options& options,
                      const child_words& words, harness::listener& listener) {
  const double start = harness::monotonic_seconds();
  std::mt19937_64 random(options.protocol.seed);
  header.min_effect = options.protocol.min_effect;
  if (instruments.peak) header.peak = *instruments.peak;
  listener.run_started(header);
  const auto forks = static_cast<std::size_t>(options.profile.forks);
  for (std::size_t i = 0; i < families.size() && !listener.wants_stop(); ++i) {
    const double left_s = options.suite_budget_s - (harness::monotonic_seconds() - start);
    if (options.suite_budget_s > 0 && left_s <= 0) break;
    const double budget_s = arm_budget(options, left_s, families.size() - i, families[i].experiment);
    const auto problem = model::text(families[i].problem.point());
    const auto layouts = code_layouts(module_folder(), families[i].experiment->id);
    std::vector<model::family> seen;
    while (seen.size() < forks && !listener.wants_stop()) {
      const double gone = harness::monotonic_seconds() - start;
      const double share = static_cast<double>(seen.size()) / static_cast<double>(forks);
      const double done = static_cast<double>(i) + share;
      listener.advanced({families[i].experiment->id, problem, "process", share, i, families.size(),
                         done > 0 ? gone / done * (static_cast<double>(families.size()) - done) : 0});
      move_memory_and_code(seen.size(), layouts, random);
      seen.push_back(measured_by_child(
          command_of(families[i], options, words, budget_s, options.protocol.seed + seen.size())));
    }
    if (seen.size() < forks) break;
    auto merged = harness::merge_forks(seen, options.protocol.min_effect, layouts);
    harness::add_scaling_checks(merged, header.families, families[i].experiment);
    header.families.push_back(std::move(merged));
    header.wall_s = harness::monotonic_seconds() - start;
    listener.family_finished(header, header.families.back());
  }
  listener.run_finished(header);
  return header;
}

}  // namespace ridge::app
