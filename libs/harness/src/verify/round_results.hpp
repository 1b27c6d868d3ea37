// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/splitmix.hpp>
#include <ridge/harness/work.hpp>

#include "data/compare_outputs.hpp"
#include "data/fingerprint.hpp"
#include "data/keyed_member.hpp"

namespace ridge::harness {

// What one arm's sample left in its members: by member that was called.
struct sample_results {
  std::vector<fingerprint> prints{};
  std::vector<result_bytes> outputs{};  // the results themselves; empty where they take too much memory
};

// Describes how two samples' results on the same data differ by more than `within`: by their fingerprints,
// and by element where both have outputs, whose types and counts are those of `shapes`. Empty: they agree.
[[nodiscard]] std::string difference_of(const sample_results& seen, const sample_results& expected,
                                        tolerance within, const memory& shapes);

// A round that was kept: the data that it ran on, and the results of each arm.
struct kept_round {
  std::uint64_t round = 0;
  std::size_t first_member = 0;
  std::vector<key_state> data{};                   // by member used
  std::map<std::size_t, sample_results> by_arm{};  // by arm
};

// Compares the results of all arms of a round with those of arm 0, the baseline. Keeps up to eight rounds to
// be recomputed later; which ones is drawn at random, on a host when the first sample of the round has been
// taken, so that it stands nowhere while a body runs that knows the draws before.
class round_results {
 public:
  using tolerance_of_arm = std::function<tolerance(std::size_t arm)>;
  explicit round_results(tolerance_of_arm within) : within_(std::move(within)) {}

  // Seeds the draw of the rounds to keep.
  void seed(std::uint64_t seed) { lots_ = splitmix_generator(mix_keys(seed, 0x6b657074)); }
  // Says how many bytes the results of all arms of one round take, so that what is kept stays within its
  // limit.
  void expect_bytes(std::size_t bytes_per_round);
  // Begins a round that may be kept.
  void begin_round();
  // Draws whether the round will be kept, unless that was drawn since it began. Returns whether the outputs
  // of its samples are wanted beside their fingerprints.
  [[nodiscard]] bool wants_outputs();
  // Memory of outputs that are no longer needed, to copy outputs into; nothing at first.
  [[nodiscard]] std::vector<result_bytes> take_used_memory();
  // Chooses the pieces of large arrays that this round's fingerprints are of. Drawn like the rounds to keep.
  [[nodiscard]] std::uint64_t pieces_key();
  // Begins a round that is compared and never kept.
  void begin_passing_round();
  // Takes the results of one sample of the arm.
  void collect(std::size_t arm, sample_results results);
  // Compares the arms with the baseline. Calls `data` for the data of each member only if the round is kept.
  void end_round(std::uint64_t round, std::size_t first_member,
                 const std::function<std::vector<key_state>()>& data);
  // Compares the arms of a round that is not kept; `name` is the round's in what is told.
  void end_passing_round(std::string_view name);
  // The warm-up is over: rounds are kept from now on. Disagreements stay.
  void restart();

  [[nodiscard]] const std::vector<kept_round>& kept() const { return kept_; }
  // Describes the first disagreement of the arm's results since it was last taken; empty: none.
  [[nodiscard]] const std::string& disagreement_of(std::size_t arm) const;
  [[nodiscard]] std::string take_disagreement(std::size_t arm);

 private:
  static constexpr std::size_t most_kept = 8;
  void draw();
  void reuse(std::map<std::size_t, sample_results>& of_arms);
  void compare_arms(std::string_view round);

  tolerance_of_arm within_;
  std::map<std::size_t, sample_results> results_{};  // this round's, by arm
  std::map<std::size_t, std::string> disagrees_{};   // by arm
  std::vector<kept_round> kept_{};
  std::uint64_t rounds_seen_ = 0;
  std::size_t kept_at_most_ = most_kept;
  std::size_t place_ = most_kept;  // of this round among those kept; beyond them: it is not kept
  bool keeps_ = false;             // the warm-up is over
  bool drawn_ = true;              // whether that holds for this round
  std::uint64_t pieces_key_ = 0;   // of this round
  std::vector<std::vector<result_bytes>> used_memory_{};
  bool with_outputs_ = true;
  splitmix_generator lots_{0};
};

}  // namespace ridge::harness
