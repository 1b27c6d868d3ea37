// SPDX-License-Identifier: Apache-2.0
#include "verify/lone_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/splitmix.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/other_programs.hpp>
#include <ridge/host/own_mappings.hpp>
#include <ridge/stats/median.hpp>

#include "run/progress_mark.hpp"
#include "sampling/sampler.hpp"
#include "sampling/second_clock.hpp"
#include "verify/lone_pace.hpp"
#include "verify/lone_variant.hpp"
#include "verify/round_results.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t compared_rounds = 3;  // of the usual ones, whose results are compared by element
// How fast small arrays are depends on where they lie (way predictors, aliasing): rounds take turns over
// them.
constexpr std::size_t several_places = 6;
constexpr double brief_first_call_s = 5e-3;
// Threads that were stopped wake up slowly: what that takes must not count beside the calls.
constexpr double team_sample_s = 2e-3;
constexpr double clear_spread = 0.01;  // of the median of a ratio's logarithms
constexpr double shared_within = 4;    // arms within this factor make the same number of calls

// One variant of the family in its process.
struct lone_arm {
  std::size_t measurement = 0;
  bool stages = false;
  int threads = 1;
  tolerance within{};
  std::unique_ptr<lone_variant> variant{};
  std::uint64_t calls = 1;  // of a sample
  bool sound = true;
  std::string damage{};                       // outside of arrays, or what its process states
  std::vector<lone_times> times{};            // by round
  double other_step_s = 0, timed_step_s = 0;  // that this process waited for the last step of either kind
};

// What variants took longer for the steps of a round than the first one, whatever their order was.
double beyond_the_first_s(const std::vector<lone_arm>& arms) {
  const auto& first = arms.front();
  double all = 0;
  for (const auto& arm : arms)
    all += std::max(0.0, arm.other_step_s - first.other_step_s) +
           std::max(0.0, arm.timed_step_s - first.timed_step_s);
  return all;
}

// Seconds that a step may take: verified calls, and the calls that fill a sample, take less.
double limit_of(const family_state& family) {
  constexpr double least_s = 10;
  if (family.options.call_limit_s > 0) return family.options.call_limit_s;
  const double most_s = untimed_limit_s(family.options);
  const auto* progress = family.equipment.progress;
  return progress ? std::min(most_s, std::max(least_s, 20 * progress->longest_s)) : most_s;
}

class lone_rounds_of {
 public:
  explicit lone_rounds_of(family_state& family)
      : family_(family), limit_s_(limit_of(family)), pace_(session_s(family)) {
    made_.seconds.resize(family.variants.size());
    made_.wrong.resize(family.variants.size());
    made_.failures.resize(family.variants.size(), model::failure_kind::wrong_output);
    made_.signals.resize(family.variants.size());
    for (std::size_t i = 0; i < family.variants.size(); ++i) {
      if (can_be_timed(family.result.measurements[i])) measurements_.push_back(i);
    }
  }

  lone_rounds run() {
    made_.skipped = reason_to_skip();
    if (!made_.skipped.empty()) return std::move(made_);
    const auto memory_of_others = host::shared_memory();
    make_members();
    for (const auto& memory : memory_of_others) host::hide_from_children(memory);
    for (const auto m : measurements_) start(m);
    // Drawn when all processes exist, so that none of them finds the keys of the rounds.
    draws_ = splitmix_generator(random_bits());
    if (cannot_wake()) made_.skipped = "threads that wake slowly call on arrays that are restored";
    if (goes_on()) calibrate();
    if (goes_on()) take_rounds();
    if (made_.skipped.empty() && all_sound()) {
      for (const auto& arm : arms_) made_.seconds[arm.measurement] = call_seconds(arm);
      made_.others_ran = 2 * rounds_beside_others_ > pace_.rounds();
    }
    for (auto& arm : arms_) end(arm);
    family_.places.widen();
    return std::move(made_);
  }

 private:
  [[nodiscard]] const variant_facts& facts(std::size_t measurement) const {
    return family_.definition.variants[family_.variants[measurement]];
  }
  [[nodiscard]] keyed_member& other() { return *members_[0]; }
  // The members of the present round.
  [[nodiscard]] std::span<const std::unique_ptr<keyed_member>> timed() const {
    return std::span(members_).subspan(first_, used_);
  }
  [[nodiscard]] bool all_sound() const { return std::ranges::all_of(arms_, &lone_arm::sound); }
  [[nodiscard]] bool is_to_stop() const {
    return family_.equipment.progress && family_.equipment.progress->stop;
  }
  [[nodiscard]] bool goes_on() const { return made_.skipped.empty() && all_sound() && !is_to_stop(); }
  [[nodiscard]] bool has_team() const {
    return std::ranges::any_of(arms_, [](const lone_arm& arm) { return arm.threads != 1; });
  }
  static double session_s(const family_state& family) {
    const auto timed = std::ranges::count_if(family.result.measurements, can_be_timed);
    return family.options.profile.budget_per_arm_s * static_cast<double>(timed);
  }

  [[nodiscard]] std::string reason_to_skip() const {
    if (measurements_.size() < 2) return "there is one variant";
    const auto placement = facts(measurements_.front()).placement;
    const auto differs = [&](std::size_t m) { return facts(m).placement != placement; };
    if (std::ranges::any_of(measurements_, differs)) return "variants place their arrays differently";
    return {};
  }
  // A sample is then one call of threads that were stopped and wake slowly.
  [[nodiscard]] bool cannot_wake() const { return !loops_ && has_team(); }

  void make_members() {
    const auto add = [&] {
      members_.push_back(std::make_unique<keyed_member>(
          make_member(family_.definition, family_.planned.problem, family_.equipment,
                      device::guard::shared_zones, facts(measurements_.front()).placement)));
      members_.back()->poison_all();
    };
    add();
    loops_ = !other().has_files() && !other().has_inouts();
    draws_for_each_ = other().get().memory.total_bytes() <= near_cache_bytes(*family_.equipment.device);
    // As in a session, the calls of a sample take turns over a ring that fits the near cache.
    const auto near_bytes = near_cache_bytes(*family_.equipment.device);
    const auto ring = family_.members.empty() ? 1 : family_.members.begin()->second.size();
    if (loops_ && ring * other().get().memory.total_bytes() <= near_bytes / 2) used_ = ring;
    const std::size_t places = draws_for_each_ ? std::max(several_places, used_) : 1;
    while (members_.size() < 1 + places) add();
  }

  void start(std::size_t measurement) {
    const auto v = family_.variants[measurement];
    lone_arm arm{.measurement = measurement,
                 .stages = family_.definition.variants[v].stages,
                 .threads = threads_of(family_.definition.variants[v], family_.planned.problem),
                 .within = family_.definition.within(v, family_.planned.problem)};
    exact_ = exact_ && arm.within.exact();
    std::vector<keyed_member*> all;
    for (const auto& member : members_) all.push_back(member.get());
    arm.variant = std::make_unique<lone_variant>(family_, v, std::move(all), limit_s_);
    arm.sound = arm.variant->bound() && is_undamaged(arm);
    arms_.push_back(std::move(arm));
  }

  static void draw(keyed_member& member, std::uint64_t key) {
    member.rekey(key);
    member.poison_outputs();
  }
  void draw_all(std::uint64_t key) {
    for (std::size_t i = 0; i < used_; ++i) draw(*timed()[i], mix_keys(key, i));
  }

  // Calls of the other member, whose data stay what they are.
  bool call_on_others(lone_arm& arm, std::uint64_t n, std::uint64_t times = 1) {
    family_.places.place(arm.threads);
    other().restore_inouts();
    const auto step = [&] {
      return (!arm.stages || arm.variant->stage(0)) && arm.variant->call(0, 1, n, times);
    };
    return asked(arm, step, &lone_arm::other_step_s);
  }

  // Finds how many calls fill a sample, by the rule of the session.
  void calibrate() {
    const auto& p = family_.options.protocol;
    std::vector<double> call_s;
    draw(other(), draws_());
    for (auto& arm : arms_) {
      std::uint64_t n = 1;
      if (!call_on_others(arm, n)) return;
      double seconds = arm.variant->times().first_s;  // with what a first call brings into memory and caches
      const bool brief = loops_ && seconds < brief_first_call_s;
      while (brief && n < most_calls && !is_to_stop()) {
        if (!call_on_others(arm, n, 3)) return;
        const auto times = arm.variant->times();
        seconds = std::min(times.first_s, times.last_s);
        if (seconds >= p.sample_s) break;
        n *= 2;
      }
      call_s.push_back(std::max(seconds, 1e-9) / static_cast<double>(n));
    }
    const double fastest = *std::ranges::min_element(call_s);
    for (std::size_t i = 0; i < arms_.size() && loops_; ++i) {
      const double each_s = call_s[i] <= shared_within * fastest ? fastest : call_s[i];
      const bool team = arms_[i].threads != 1;
      const double sample_s = team ? team_sample_s : p.sample_s;
      if (call_s[i] < (team ? team_sample_s : p.single_call_s))
        arms_[i].calls = static_cast<std::uint64_t>(std::ceil(sample_s / each_s));
    }
  }

  void take_rounds() {
    pace_.begin(monotonic_seconds(), has_team());
    while (goes_on()) {
      one_round();
      if (!all_sound()) return;
      pace_.end_round(monotonic_seconds(), beyond_the_first_s(arms_));
      if (pace_.is_out_of_reach())
        made_.skipped =
            fmt::format("{} rounds take longer than {:.2g} s", lone_pace::least_rounds, pace_.longest_s());
      if (pace_.is_over() || (pace_.rounds() >= lone_pace::usual_rounds && is_clear())) return;
    }
  }

  // A step of one variant.
  bool asked(lone_arm& arm, const std::function<bool()>& step, double lone_arm::*step_s) {
    const double start = monotonic_seconds();
    arm.sound = step();
    arm.*step_s = monotonic_seconds() - start;
    return arm.sound = arm.sound && is_undamaged(arm);
  }

  // Looked at whenever the variant has run: all others are stopped meanwhile, so that what is damaged then,
  // and was not before, is its doing.
  bool is_undamaged(lone_arm& arm) {
    if (std::ranges::any_of(arms_, [](const lone_arm& one) { return !one.damage.empty(); }))
      return arm.damage.empty();
    for (const auto& member : members_) {
      if (arm.damage.empty()) arm.damage = member->damage();
    }
    return arm.damage.empty();
  }

  // Whether the ratios of all variants to the first are known well enough.
  [[nodiscard]] bool is_clear() const {
    const auto& first = arms_.front().times;
    return std::ranges::all_of(arms_, [&](const lone_arm& arm) {
      std::vector<double> logs;
      for (std::size_t i = 0; i < first.size(); ++i)
        logs.push_back(std::log(arm.times[i].first_s / first[i].first_s));
      return stats::mad(logs) < clear_spread * std::sqrt(static_cast<double>(logs.size()));
    });
  }

  void one_round() {
    std::vector<std::size_t> order(arms_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws_.below(i)]);
    first_ = first_ + 2 * used_ <= members_.size() ? first_ + used_ : 1;
    const auto key = draws_();
    const bool keeps_outputs = draws_.below(lone_pace::usual_rounds) < compared_rounds;
    std::vector<sample_results> left(arms_.size());
    if (has_team() && host::other_programs_run()) ++rounds_beside_others_;
    if (!draws_for_each_ && !prepare_all(order, key)) return;
    for (const auto i : order) {
      if (draws_for_each_ && !prepare(arms_[i], key)) return;
      if (!sample(arms_[i])) return;
      for (const auto& member : timed().first(std::min<std::size_t>(arms_[i].calls, used_))) {
        left[i].prints.push_back(take_fingerprint(member->get().memory, exact_));
        if (keeps_outputs) left[i].outputs.push_back(copy_results(member->get().memory));
      }
    }
    for (std::size_t i = 1; i < arms_.size(); ++i) compare(i, left);
  }

  // New data come when the variant has been called on others. What fits the caches is drawn right before each
  // sample, so that they hold the same for every variant; what does not, once for all.
  bool prepare(lone_arm& arm, std::uint64_t key) {
    if (!call_on_others(arm, 1)) return false;
    draw_all(key);
    return true;
  }
  bool prepare_all(const std::vector<std::size_t>& order, std::uint64_t key) {
    for (const auto i : order) {
      if (!call_on_others(arms_[i], 1)) return false;
    }
    draw_all(key);
    return true;
  }

  bool sample(lone_arm& arm) {
    family_.places.place(arm.threads);
    for (const auto& member : timed()) {
      member->poison_outputs();
      member->restore_inouts();
      member->drop_files_from_cache();
    }
    const std::uint64_t times = loops_ ? 2 : 1;
    const auto step = [&] {
      for (std::size_t i = first_; arm.stages && i < first_ + used_; ++i) {
        if (!arm.variant->stage(i)) return false;
      }
      return arm.variant->call(first_, used_, arm.calls, times);
    };
    if (!asked(arm, step, &lone_arm::timed_step_s)) return false;
    arm.times.push_back(arm.variant->times());
    if (!are_possible(arm.times.back(), loops_)) arm.damage = "states seconds that no clock has shown";
    return arm.sound = arm.damage.empty();
  }

  // Seconds of a call, as often called, by round.
  [[nodiscard]] std::vector<double> call_seconds(const lone_arm& arm) const {
    auto all = sample_seconds(arm.times, arms_.front().times);
    for (double& seconds : all) seconds /= static_cast<double>(arm.calls);
    return all;
  }

  void compare(std::size_t i, const std::vector<sample_results>& left) {
    auto& why = made_.wrong[arms_[i].measurement];
    // Of two results that are both within their tolerance, each may err.
    const tolerance within{arms_[0].within.abs + arms_[i].within.abs,
                           arms_[0].within.rel + arms_[i].within.rel};
    if (why.empty()) why = difference_of(left[i], left[0], within, timed().front()->get().memory);
  }

  void end(lone_arm& arm) {
    auto& why = made_.wrong[arm.measurement];
    const auto ended = arm.variant->end();
    if (why.empty() && !ended.why.empty()) {
      why = ended.why;
      made_.failures[arm.measurement] = ended.failure;
      made_.signals[arm.measurement] = ended.signal;
    }
    (void)is_undamaged(arm);
    if (why.empty()) why = arm.damage;
  }

  static constexpr std::uint64_t most_calls = std::uint64_t{1} << 24;

  family_state& family_;
  splitmix_generator draws_{0};  // of keys, of orders and of rounds that are compared by element
  double limit_s_;
  lone_pace pace_;
  std::vector<std::size_t> measurements_{};
  std::vector<std::unique_ptr<keyed_member>> members_{};  // the first one for calls that are not timed
  std::size_t first_ = 1, used_ = 1;                      // members of the present round
  std::vector<lone_arm> arms_{};
  std::size_t rounds_beside_others_ = 0;
  bool exact_ = true, loops_ = true, draws_for_each_ = true;
  lone_rounds made_{};
};

}  // namespace

lone_rounds take_lone_rounds(family_state& family) { return lone_rounds_of(family).run(); }

}  // namespace ridge::harness
