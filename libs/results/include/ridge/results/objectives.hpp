// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/results/comparable.hpp>

// What variants of a workload are weighed by: time, memory, energy, error; less is better of each.
namespace ridge::results {

struct objective {
  std::string_view key{};   // "memory"
  std::string_view unit{};  // as format_quantity knows it
  report::unit shown{report::unit::number};
  std::optional<double> (*value)(const model::latest_measurement& m) = nullptr;  // of one call
};

// All objectives, and the one of a name, which must be known.
[[nodiscard]] std::span<const objective> objectives();
[[nodiscard]] const objective& objective_named(std::string_view key);

// Returns -1, 0 or 1: the first variant is better, the same or worse in an objective that both have. Times
// differ where the pairs show it, memory and energy where they differ by 1 %, and errors where they differ by
// a factor of two, for the largest of many errors varies with the data.
[[nodiscard]] int order_in(const objective& o, const model::workload_result& seen,
                           const model::latest_measurement& first, const model::latest_measurement& second);

// A variant of a workload with its place on the frontier of the objectives that all variants have.
struct weighed {
  const model::latest_measurement* measured = nullptr;
  std::vector<std::string> dominated_by{};  // variants at least as good in each and better in one
};

// The frontier of one workload.
struct frontier {
  std::vector<const objective*> compared{};    // known of every variant
  std::vector<const objective*> unmeasured{};  // not known of some variant: they decide nothing
  std::vector<weighed> variants{};             // in the order of the ladder
};

// Weighs the variants of a workload. A time counts as better only where the pairs show it: two that cannot be
// told apart have the same time.
[[nodiscard]] frontier frontier_of(const model::workload_result& seen);

}  // namespace ridge::results
