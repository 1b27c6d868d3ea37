// SPDX-License-Identifier: Apache-2.0
#include "verify/round_results.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

constexpr std::size_t kept_rounds = 8;

}  // namespace

void round_results::collect(std::size_t arm, std::vector<fingerprint> prints) {
  prints_[arm] = std::move(prints);
}

void round_results::compare_arms(std::uint64_t round) {
  const auto baseline = prints_.find(0);
  if (baseline == prints_.end()) return;
  for (const auto& [arm, prints] : prints_) {
    const auto within = within_(arm);
    auto& disagrees = disagrees_[arm];
    const auto common = std::min(prints.size(), baseline->second.size());
    for (std::size_t i = 0; i < common && disagrees.empty(); ++i) {
      const auto why = disagreement(prints[i], baseline->second[i], within);
      if (!why.empty()) disagrees = fmt::format("round {}: {}", round, why);
    }
  }
}

// Reservoir sampling: which rounds are kept is not known before the last one.
void round_results::end_round(std::uint64_t round, std::size_t first_member,
                              const std::function<std::vector<key_state>()>& data) {
  compare_arms(round);
  if (prints_.empty()) return;
  const auto seen = ++rounds_seen_;
  std::size_t place = kept_.size();
  if (kept_.size() == kept_rounds) place = lots_.below(static_cast<std::size_t>(seen));
  if (place >= kept_rounds) return;
  if (place == kept_.size()) kept_.emplace_back();
  kept_[place] = {.round = round, .first_member = first_member, .data = data(), .by_arm = prints_};
}

void round_results::restart() {
  kept_.clear();
  rounds_seen_ = 0;
}

const std::string& round_results::disagreement_of(std::size_t arm) const {
  static const std::string none;
  const auto found = disagrees_.find(arm);
  return found == disagrees_.end() ? none : found->second;
}

std::string round_results::take_disagreement(std::size_t arm) { return std::exchange(disagrees_[arm], {}); }

}  // namespace ridge::harness
