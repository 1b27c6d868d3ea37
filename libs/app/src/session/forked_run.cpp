// SPDX-License-Identifier: Apache-2.0
#include "session/forked_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <variant>

#include <fmt/format.h>

#include <ridge/app/experiment_shelf.hpp>
#include <ridge/harness/forks.hpp>
#include <ridge/harness/run_all.hpp>
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

// What one process of a family is given.
struct process_part {
  double arm_budget_s = 0;
  double whole_s = 0;  // infinite: no limit
  std::uint64_t seed = 0;
};

std::vector<std::string> command_of(const harness::planned_family& family,
                                    const harness::run_options& options, const child_words& call,
                                    process_part part) {
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
  add("--seed", fmt::format("{}", part.seed));
  add("--arm-budget", fmt::format("{}s", part.arm_budget_s));
  if (std::isfinite(part.whole_s)) add("--budget", fmt::format("{}s", part.whole_s));
  if (options.call_limit_s > 0) add("--timeout", fmt::format("{}s", options.call_limit_s));
  return words;
}

constexpr double child_look_s = 0.1, longest_s = 24 * 3600;

// Nothing where `goes_on` said no before the process had ended, or where its part of the time sufficed for
// nothing.
std::optional<model::family> measured_by_child(const std::vector<std::string>& command,
                                               const std::function<bool()>& goes_on) {
  host::child_process child(host::program{.command = command});
  const auto done = child.wait_watched(longest_s, child_look_s, goes_on);
  if (std::holds_alternative<host::child_timed_out>(done.outcome)) return std::nullopt;
  auto run = model::run_from_json(done.output);
  if (run && run->families.empty() && !run->left_out.empty()) return std::nullopt;
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

// One call of run_forked.
class forked_suite {
 public:
  forked_suite(model::run header, const std::vector<harness::planned_family>& families,
               const harness::run_options& options, const child_words& words, harness::listener& listener)
      : header_(std::move(header)),
        families_(families),
        options_(options),
        words_(words),
        listener_(listener),
        random_(options.protocol.seed) {}

  model::run run() {
    listener_.run_started(header_);
    std::size_t i = 0;
    while (i < families_.size() && goes_on() && one_family(i)) ++i;
    for (; i < families_.size(); ++i) leave_out(families_[i]);
    header_.wall_s = harness::monotonic_seconds() - start_;
    listener_.run_finished(header_);
    return std::move(header_);
  }

 private:
  [[nodiscard]] bool goes_on() const {
    return !listener_.wants_stop() && harness::monotonic_seconds() < options_.deadline_s;
  }
  void leave_out(const harness::planned_family& family) {
    header_.left_out.push_back(
        harness::without_results(family, harness::why_it_ended(options_, listener_.wants_stop())));
  }
  void tell(std::size_t i, double share) {
    const double gone = harness::monotonic_seconds() - start_, done = static_cast<double>(i) + share;
    const auto problem = model::text(families_[i].problem.point());
    listener_.advanced({families_[i].experiment->id, problem, "process", share, i, families_.size(),
                        done > 0 ? gone / done * (static_cast<double>(families_.size()) - done) : 0});
  }

  // False where the run is to end without the family's results.
  bool one_family(std::size_t i) {
    const auto forks = static_cast<std::size_t>(options_.profile.forks);
    const double left_s = options_.deadline_s - harness::monotonic_seconds();
    const double budget_s = arm_budget(options_, left_s, families_.size() - i, families_[i].experiment);
    const double part_s = left_s / static_cast<double>((families_.size() - i) * forks);
    const auto layouts = code_layouts(module_folder(), families_[i].experiment->id);
    std::vector<model::family> seen;
    while (seen.size() < forks) {
      tell(i, static_cast<double>(seen.size()) / static_cast<double>(forks));
      move_memory_and_code(seen.size(), layouts, random_);
      auto one = measured_by_child(
          command_of(families_[i], options_, words_,
                     {budget_s, std::max(0.1, 2 * part_s), options_.protocol.seed + seen.size()}),
          [this] { return goes_on(); });
      if (one) seen.push_back(std::move(*one));
      if (seen.size() == forks)
        break;  // complete, although the time may have passed while the last one ended
      if (!goes_on()) return false;
      if (!one) {
        leave_out(families_[i]);
        return true;
      }
    }
    auto merged = harness::merge_forks(seen, options_.protocol.min_effect, layouts);
    harness::add_scaling_checks(merged, header_.families, families_[i].experiment);
    header_.families.push_back(std::move(merged));
    header_.wall_s = harness::monotonic_seconds() - start_;
    listener_.family_finished(header_, header_.families.back());
    return true;
  }

  const double start_ = harness::monotonic_seconds();
  model::run header_;
  const std::vector<harness::planned_family>& families_;
  const harness::run_options& options_;
  const child_words& words_;
  harness::listener& listener_;
  std::mt19937_64 random_;
};

}  // namespace

model::run run_forked(model::run header, const std::vector<harness::planned_family>& families,
                      const harness::instruments& instruments, const harness::run_options& options,
                      const child_words& words, harness::listener& listener) {
  header.min_effect = options.protocol.min_effect;
  if (instruments.peak) header.peak = *instruments.peak;
  return forked_suite(std::move(header), families, options, words, listener).run();
}

}  // namespace ridge::app
