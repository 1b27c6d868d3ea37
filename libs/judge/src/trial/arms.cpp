// SPDX-License-Identifier: Apache-2.0
#include "trial/arms.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/harness/judged_data.hpp>

namespace ridge::judge {
namespace {

constexpr std::size_t most_kept = 8;
constexpr std::size_t pilot_samples = 3;  // of each arm, for each number of calls that is tried
constexpr std::size_t most_kept_bytes = std::size_t{512} << 20;

}  // namespace

trial_arms::trial_arms(trial_data& data, runner_process& baseline, runner_process& candidate,
                       tolerance within, std::uint64_t seed, measure::interference_meter* interference)
    : data_(data),
      runners_{&baseline, &candidate},
      within_(within),
      seed_(seed),
      interference_(interference),
      lots_(std::random_device{}()) {}

void trial_arms::warmed_up() {
  kept_.clear();
  rounds_ = 0;
  accounts_ = {};
  disturbance_ = {};
}

void trial_arms::begin_round(std::uint64_t) {
  begin_data();
  if (interference_ != nullptr) interference_->start();
}

void trial_arms::begin_data() {
  key_ = harness::mixed_key(seed_, ++drawn_);
  has_run_ = {};
  data_.begin(key_);
}

runner_process::answer trial_arms::asked(std::size_t arm, operation wanted, std::uint64_t count) {
  auto made = runners_[arm]->ask(wanted, 0, count);
  if (!made.failed.empty()) throw arm_failed(arm, made.failed);
  return made;
}

// Makes so many calls possible, untimed.
void trial_arms::bind(std::size_t count) {
  if (count <= bound_) return;
  for (const auto arm : {baseline_arm, candidate_arm}) static_cast<void>(asked(arm, operation::bind, count));
  bound_ = count;
}

std::size_t trial_arms::choose_calls(double sample_s, double longest_s) {
  const auto most = static_cast<std::size_t>(data_.layout().members);
  for (;;) {
    std::array<double, 2> least{longest_s, longest_s};
    for (std::size_t i = 0; i < 2 * pilot_samples; ++i)
      least[i % 2] = std::min(least[i % 2], run(i % 2, 1).seconds);
    const auto [faster, slower] = std::minmax(least[0], least[1]);
    if (faster >= sample_s || slower >= longest_s || calls_ == most) return calls_;
    const double growth = std::clamp(std::min(1.1 * sample_s / faster, longest_s / slower), 1.1, 8.0);
    calls_ = std::min(most, static_cast<std::size_t>(std::ceil(growth * static_cast<double>(calls_))));
  }
}

harness::sample trial_arms::run(std::size_t arm, std::uint64_t) {
  const auto calls = calls_;
  bind(calls);
  if (has_run_[arm]) begin_data();  // no arm sees the same data twice
  data_.draw_up_to(calls);
  data_.read_inputs(calls);
  data_.poison(calls);
  const auto seen = asked(arm, operation::call, calls);
  accounts_[arm].wall_s += seen.seconds;
  accounts_[arm].processor_s += seen.processor_s;
  if (auto why = data_.take(arm, calls); !why.empty()) throw arm_failed(arm, why);
  has_run_[arm] = true;
  if (has_run_[baseline_arm] && has_run_[candidate_arm]) {
    auto why = data_.disagreement(calls, within_);
    if (!why.empty()) throw arm_failed(candidate_arm, "its results are wrong: " + why);
    ++compared_;
  }
  value_ = seen.seconds / static_cast<double>(calls);
  return {.seconds = seen.seconds, .values = {&value_, 1}};
}

bool trial_arms::end_round(std::uint64_t) {
  if (has_run_[baseline_arm] && has_run_[candidate_arm]) keep_results();
  if (interference_ == nullptr) return false;
  const auto seen = interference_->stop();
  disturbance_.involuntary_switches += seen.involuntary_switches;
  disturbance_.steal_s += seen.steal_s;
  disturbance_.throttled_periods += seen.throttled_periods;
  return seen.involuntary_switches > 0 || seen.steal_s > 0 || seen.throttled_periods > 0;
}

// Reservoir sampling: each round is kept with the same chance, which nobody can foresee.
void trial_arms::keep_results() {
  const auto round = rounds_++;
  const auto members = data_.members_to_keep(calls_, lots_);
  const auto bytes = 2 * members.size() * data_.layout().output_stride;
  const auto room = std::clamp<std::size_t>(most_kept_bytes / std::max<std::size_t>(bytes, 1), 1, most_kept);
  std::size_t place = kept_.size();
  if (place < room) {
    kept_.emplace_back();
  } else {
    place = static_cast<std::size_t>(lots_() % (round + 1));
    if (place >= room) return;
  }
  auto& kept = kept_[place];
  kept = {.key = key_, .members = members};
  for (const auto arm : {baseline_arm, candidate_arm}) {
    for (const auto member : members) kept.written[arm].push_back(data_.taken(arm, member));
  }
}

}  // namespace ridge::judge
