// SPDX-License-Identifier: Apache-2.0
#include "verify/round_results.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

constexpr std::size_t kept_bytes_at_most = std::size_t{1} << 29;

}  // namespace

std::string difference_of(const sample_results& seen, const sample_results& expected, tolerance within,
                          const memory& shapes) {
  const auto common = std::min(seen.prints.size(), expected.prints.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (auto why = disagreement(seen.prints[i], expected.prints[i], within); !why.empty()) return why;
    if (i >= seen.outputs.size() || i >= expected.outputs.size()) continue;
    const auto difference =
        compare_outputs(views_of(seen.outputs[i]), shapes, views_of(expected.outputs[i]), within);
    if (!difference.why.empty()) return difference.why;
  }
  return {};
}

void round_results::expect_bytes(std::size_t bytes_per_round) {
  with_outputs_ = bytes_per_round <= kept_bytes_at_most;
  const auto affordable = kept_bytes_at_most / std::max<std::size_t>(bytes_per_round, 1);
  kept_at_most_ = with_outputs_ ? std::min(most_kept, affordable) : most_kept;
}

void round_results::begin_round() {
  reuse(results_);
  drawn_ = false;
}

bool round_results::wants_outputs() {
  draw();
  return place_ < kept_at_most_ && with_outputs_;
}

// Reservoir sampling. While the reservoir fills, every other round is kept on average, so that of a short
// session too some rounds are taken as they are without being kept; the first one always, so that there is
// one.
void round_results::draw() {
  if (std::exchange(drawn_, true)) return;
  pieces_key_ = lots_();
  place_ = kept_at_most_;
  if (!keeps_) return;
  const auto seen = ++rounds_seen_;
  const bool filling = kept_.size() < kept_at_most_;
  const bool passed_over = filling && !kept_.empty() && lots_.below(2) == 0;
  place_ = passed_over ? kept_at_most_ : filling ? kept_.size() : lots_.below(static_cast<std::size_t>(seen));
}

std::uint64_t round_results::pieces_key() {
  draw();
  return pieces_key_;
}

std::vector<result_bytes> round_results::take_used_memory() {
  if (used_memory_.empty()) return {};
  auto memory = std::move(used_memory_.back());
  used_memory_.pop_back();
  return memory;
}

void round_results::reuse(std::map<std::size_t, sample_results>& of_arms) {
  for (auto& [arm, results] : of_arms) {
    if (!results.outputs.empty()) used_memory_.push_back(std::move(results.outputs));
  }
  of_arms.clear();
}

void round_results::collect(std::size_t arm, sample_results results) { results_[arm] = std::move(results); }

void round_results::begin_passing_round() {
  reuse(results_);
  place_ = kept_at_most_;
  drawn_ = true;
}

void round_results::end_passing_round(std::string_view name) { compare_arms(name); }

void round_results::compare_arms(std::string_view round) {
  const auto baseline = results_.find(0);
  if (baseline == results_.end()) return;
  const auto& expected = baseline->second.prints;
  for (const auto& [arm, results] : results_) {
    const auto within = within_(arm);
    auto& disagrees = disagrees_[arm];
    const auto common = std::min(results.prints.size(), expected.size());
    for (std::size_t i = 0; i < common && disagrees.empty(); ++i) {
      const auto why = disagreement(results.prints[i], expected[i], within);
      if (!why.empty()) disagrees = fmt::format("{}: {}", round, why);
    }
  }
}

void round_results::end_round(std::uint64_t round, std::size_t first_member,
                              const std::function<std::vector<key_state>()>& data) {
  compare_arms(fmt::format("round {}", round));
  draw();
  if (place_ >= kept_at_most_ || results_.empty()) return;
  if (place_ == kept_.size()) kept_.emplace_back();
  reuse(kept_[place_].by_arm);
  kept_[place_] = {
      .round = round, .first_member = first_member, .data = data(), .by_arm = std::move(results_)};
}

void round_results::restart() {
  for (auto& kept : kept_) reuse(kept.by_arm);
  kept_.clear();
  rounds_seen_ = 0;
  keeps_ = true;
}

const std::string& round_results::disagreement_of(std::size_t arm) const {
  static const std::string none;
  const auto found = disagrees_.find(arm);
  return found == disagrees_.end() ? none : found->second;
}

std::string round_results::take_disagreement(std::size_t arm) { return std::exchange(disagrees_[arm], {}); }

}  // namespace ridge::harness
