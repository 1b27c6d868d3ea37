// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/model/comparison.hpp>
#include <ridge/model/environment.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::model {

inline constexpr int run_schema_version = 1;  // "ridge.run/1"

// One axis value of a problem.
using axis_value = std::variant<std::int64_t, double, std::string>;
// Returns a value as it is printed: 1048576 -> "2^20", 0.5 -> "0.5".
[[nodiscard]] std::string text(const axis_value& value);

// One point of an experiment's axes, in declared order.
using problem_point = std::vector<std::pair<std::string, axis_value>>;
// Returns "n=2^20 dtype=fp32"; empty for a point without axes.
[[nodiscard]] std::string text(const problem_point& point);

// What interfered with the samples of a family, over all its rounds.
struct disturbance {
  std::uint64_t disturbed_rounds = 0;
  double steal_s = 0;  // seconds that the hypervisor gave to other machines, summed over all CPUs
  std::uint64_t involuntary_switches = 0;
  std::uint64_t throttled_periods = 0;  // periods in which the control group had used up its CPU quota
};

// The variants of one backend measured together on one problem: the unit of work, of Holm's correction and of
// storage.
struct family {
  std::string experiment{};
  std::string title{};
  std::string question{};
  model::goal goal{model::goal::speed};
  model::backend backend{model::backend::cpu};
  problem_point problem{};
  double flop = 0, bytes_read = 0, bytes_written = 0, items = 0;  // the work, by definition
  std::vector<measurement> measurements{};                        // the ladder's order
  std::vector<comparison> comparisons{};
  std::vector<check> checks{};  // of the family as a whole
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;
  double wall_s = 0;                                // from verification to verdict
  double duty = 0;                                  // share of wall_s that was timed
  std::optional<model::disturbance> disturbance{};  // absent without a meter
  int forks = 1;
  std::string skipped{};  // why nothing was measured; empty when it was
};

// A problem that was planned and has no results: the time was over, or the run was interrupted.
struct left_out {
  std::string experiment{};
  model::backend backend{model::backend::cpu};
  problem_point problem{};
  std::string reason{};  // "the budget of 5 s was used up"
};

// Everything that one call of `ridge run` (or `bench`, `compare`) measured.
struct run {
  std::string id{};       // 26 characters, sorts by time
  std::string started{};  // ISO 8601, UTC
  std::vector<std::string> command{};
  std::string profile{};
  std::uint64_t seed = 0;
  double wall_s = 0;
  double min_effect = 0.01;  // the smallest effect that matters
  double level = 0.95;
  model::environment environment{};
  model::peak peak{};
  std::vector<family> families{};
  std::vector<model::left_out> left_out{};  // in the order in which they would have been measured
};

// Returns the ratio in the words of its metric: "9.9× faster", "2.1 % less memory".
[[nodiscard]] std::string in_words(const comparison& c);

}  // namespace ridge::model
