// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/work.hpp>
#include <ridge/measure/interference.hpp>

#include "trial/runner_process.hpp"
#include "trial/trial_data.hpp"

namespace ridge::judge {

// An arm could not go on, or is wrong: the judgement ends with this reason.
class arm_failed final : public std::exception {
 public:
  arm_failed(std::size_t arm, std::string why) : arm_(arm), why_(std::move(why)) {}
  [[nodiscard]] const char* what() const noexcept override { return why_.c_str(); }
  [[nodiscard]] std::size_t arm() const { return arm_; }

 private:
  std::size_t arm_;
  std::string why_;
};

// The results of both arms on the same data, kept to be computed again.
struct kept_results {
  std::uint64_t key = 0;
  std::vector<std::size_t> members{};                            // whose results are kept
  std::array<std::vector<std::vector<std::byte>>, 2> written{};  // by arm and place in `members`
};

// What was seen of an arm besides its times.
struct arm_account {
  double wall_s = 0;       // of its samples
  double processor_s = 0;  // in its samples
};

// The runners of a baseline and a candidate as arms of the paired protocol. Each sample's data are drawn
// anew, its results compared with those of the other arm on the same data; the first difference throws
// arm_failed. All samples of both arms hold the same number of calls, because each call has arrays of its
// own: with more calls the arrays of a sample lie in a farther cache.
class trial_arms final : public harness::contestants {
 public:
  // Everything passed outlives it; the meter may be null. `within` is the tolerance of the problem.
  trial_arms(trial_data& data, runner_process& baseline, runner_process& candidate, tolerance within,
             std::uint64_t seed, measure::interference_meter* interference);

  [[nodiscard]] std::size_t arms() const override { return 2; }
  [[nodiscard]] bool may_loop() const override { return false; }
  // Finds the number of calls for which the faster arm's sample takes `sample_s`, or the slower one's as long
  // as `longest_s`, as far as there are arrays for them. Returns it; every sample holds as many from now on.
  [[nodiscard]] std::size_t choose_calls(double sample_s, double longest_s);
  void warmed_up() override;
  void begin_round(std::uint64_t round) override;
  [[nodiscard]] harness::sample run(std::size_t arm, std::uint64_t n) override;
  [[nodiscard]] bool end_round(std::uint64_t round) override;

  // Rounds whose results are kept, drawn at random; number of samples that were compared with the other
  // arm's.
  [[nodiscard]] const std::vector<kept_results>& kept() const { return kept_; }
  [[nodiscard]] std::uint64_t compared() const { return compared_; }
  [[nodiscard]] const arm_account& account(std::size_t arm) const { return accounts_[arm]; }
  // Interference over all rounds since the warm-up.
  [[nodiscard]] const measure::interference& disturbance() const { return disturbance_; }

 private:
  void begin_data();
  void bind(std::size_t count);
  void keep_results();
  [[nodiscard]] runner_process::answer asked(std::size_t arm, operation wanted, std::uint64_t count);

  trial_data& data_;
  std::array<runner_process*, 2> runners_;
  tolerance within_;
  std::uint64_t seed_;
  measure::interference_meter* interference_;
  std::mt19937_64 lots_;
  std::uint64_t key_ = 0;          // of the present data
  std::array<bool, 2> has_run_{};  // on the present data
  std::uint64_t drawn_ = 0;        // how often data were begun
  std::size_t calls_ = 1, bound_ = 0;
  std::vector<kept_results> kept_{};
  std::uint64_t rounds_ = 0, compared_ = 0;
  std::array<arm_account, 2> accounts_{};
  measure::interference disturbance_{};
  double value_ = 0;
};

}  // namespace ridge::judge
