// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <ridge/harness/work.hpp>

#include "data/fingerprint.hpp"
#include "data/keyed_member.hpp"
#include "session/rotation.hpp"

namespace ridge::harness {

// A round that was kept: the data that it ran on, and the results of each arm.
struct kept_round {
  std::uint64_t round = 0;
  std::size_t first_member = 0;
  std::vector<key_state> data{};                             // by member used
  std::map<std::size_t, std::vector<fingerprint>> by_arm{};  // by arm, then by member used
};

// Compares the results of one round: those of an arm's samples with each other, those of the arms with arm 0,
// the baseline. Keeps eight rounds, drawn at random, to be recomputed later.
class round_results {
 public:
  using tolerance_of_arm = std::function<tolerance(std::size_t arm)>;
  explicit round_results(tolerance_of_arm within) : within_(std::move(within)) {}

  // Seeds the draw of the rounds to keep.
  void seed(std::uint64_t seed) { lots_ = order_generator(mix_keys(seed, 0x6b657074)); }
  void begin_round() { prints_.clear(); }
  // Takes the results of one sample: a fingerprint for each member used.
  void collect(std::size_t arm, std::vector<fingerprint> prints);
  // Compares the arms with the baseline. Calls `data` for the data of each member only if the round is kept.
  void end_round(std::uint64_t round, std::size_t first_member,
                 const std::function<std::vector<key_state>()>& data);
  // Forgets the kept rounds: the warm-up is over. Disagreements stay.
  void restart();

  [[nodiscard]] const std::vector<kept_round>& kept() const { return kept_; }
  // Describes the first disagreement of the arm's results since it was last taken; empty: none.
  [[nodiscard]] const std::string& disagreement_of(std::size_t arm) const;
  [[nodiscard]] std::string take_disagreement(std::size_t arm);

 private:
  void compare_arms(std::uint64_t round);

  tolerance_of_arm within_;
  std::map<std::size_t, std::vector<fingerprint>> prints_{};  // this round's, by arm
  std::map<std::size_t, std::string> disagrees_{};            // by arm
  std::vector<kept_round> kept_{};
  std::uint64_t rounds_seen_ = 0;
  order_generator lots_{0};
};

}  // namespace ridge::harness
