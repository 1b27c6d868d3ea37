// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <ridge/harness/contestants.hpp>
#include <ridge/harness/pair_estimate.hpp>
#include <ridge/harness/protocol.hpp>
#include <ridge/model/names.hpp>

namespace ridge::harness {

// Two arms whose ratio is estimated; it is above 1 where `candidate` is better than `reference`.
struct pairing {
  std::size_t reference = 0;
  std::size_t candidate = 0;
  bool judged = true;  // false: an interval, no verdict, no share in the correction
};

// All samples of one arm in a session; sample i was taken in round `round[i]` at place `position[i]`.
struct arm_record {
  std::uint64_t iterations = 1;
  std::vector<std::vector<double>> values{};  // per metric, per call
  std::vector<double> seconds{};              // seconds of the whole sample
  std::vector<std::uint32_t> round{};
  std::vector<std::uint8_t> position{};
};

struct pairing_result {
  harness::pairing pairing{};
  std::size_t metric = 0;
  pair_estimate estimate{};
  double level = 0.95;
  model::verdict verdict{model::verdict::inconclusive};
  double hodges_lehmann = 1;
  double ratio_unmarked = 1;  // without marked rounds
};

struct session_record {
  std::vector<arm_record> arms{};      // in the order of the contestants
  std::vector<std::uint8_t> marked{};  // per round
  std::uint64_t rounds = 0;
  int looks = 0;
  double wall_s = 0;   // wall time of the rounds
  double timed_s = 0;  // the part of it inside samples
  double warm_up_s = 0;
  bool warm = false;
  bool resolved = true;  // false: a sample is shorter than the clock can resolve
  std::vector<pairing_result>
      results{};  // the pairings asked for, by the first metric; then by further metrics, unjudged
  // The reference of the first pairing against itself: its sample of each round against that of the round's
  // mirror. How far identical code differs here between one round and the next. Where the rounds are too few
  // for order statistics, its interval reaches as far as twice the median size of what was seen.
  pair_estimate repeatability{};
};

// Called between rounds, never while anything is timed. Return false to stop early and keep what there is.
struct session_progress {
  double fraction = 0;  // share of the budget that is used
  std::uint64_t rounds = 0;
};
using session_watch = std::function<bool(const session_progress&)>;

// Wall clock in seconds that the session's budget is counted on.
using wall_clock = double (*)();
// std::chrono::steady_clock in seconds.
[[nodiscard]] double monotonic_seconds();

// Pairings that can only be named once the arms are known, such as the best of them against a vendor library:
// `count` of them take their share in the correction from the start.
struct late_pairings {
  std::size_t count = 0;
  std::function<std::vector<pairing>(const std::vector<arm_record>&)> choose{};
};

// Measures arms interleaved: calibration, warm-up, rounds in a random order, each followed by one in the
// mirrored order, looks by alpha spending, until every judged pairing is settled and clear, or precise, or
// the budget is over; six rounds at least, more where the correction needs them. Every arm takes part once in
// a round, so that exchanging two arms leaves the distribution of all orders as it is: identical arms follow
// themselves and each other equally often (decision 0032).
// A ratio within the noise floor, which is the interval of the repeatability, is neither BETTER nor WORSE.
// `better[m]` orients metric m.
[[nodiscard]] session_record measure(contestants& contest, const protocol& p,
                                     const std::vector<pairing>& pairings,
                                     const std::vector<model::better>& better,
                                     const session_watch& watch = {}, wall_clock now = monotonic_seconds,
                                     const late_pairings& late = {});

// The oriented log ratios of two arms for one metric, one per round that both took part in. A round
// whose value is not positive and finite in both arms gives none. `rounds` receives the round of each.
[[nodiscard]] std::vector<double> log_ratios(const arm_record& reference, const arm_record& candidate,
                                             std::size_t metric, model::better better,
                                             std::vector<std::uint64_t>* rounds = nullptr);

}  // namespace ridge::harness
