// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/measurement.hpp>
#include <ridge/model/names.hpp>

namespace ridge::model {

// One check of a comparison. A check that could not be made is `skipped`, and `evidence` says why.
struct check {
  std::string id{};  // "verified", "guards", "audit.allocations", "drift", "dependence", "interference" ...
  model::outcome result{model::outcome::skipped};
  std::optional<double> value{};
  std::optional<double> limit{};
  std::string unit{};
  std::string evidence{};
};

// What decides how a vendor library computed in a comparison.
struct library_use {
  std::string variant{};  // that calls it
  std::string
      library{};    // name, version and chosen kernels: "OpenBLAS 0.3.21, SkylakeX kernels"; empty: not known
  int threads = 1;  // that the variant was given
  std::vector<std::pair<std::string, std::string>> settings{};  // variables that it obeys and that were set
};

// Returns it in words: "OpenBLAS 0.3.21, SkylakeX kernels, 1 thread, OMP_NUM_THREADS=4 is set".
[[nodiscard]] std::string in_words(const library_use& use);

// Two variants measured interleaved: `ratio` says how many times better the candidate is than the reference
// in one metric.
struct comparison {
  std::string reference{};  // variant names within one family
  std::string candidate{};
  model::metric metric{};
  double ratio = 1;          // above 1: the candidate is better, whatever the metric
  ridge::interval ci{1, 1};  // of the ratio
  double level = 0.95;       // confidence of `ci`, after Holm's correction within the family
  model::verdict verdict{model::verdict::inconclusive};
  bool headline = true;  // false: compared with the previous variant (interval only), or pedagogy
  bool judged = true;    // false: the comparison has an interval but no verdict
  int assurance = 0;     // 0 timed, 1 verified, 2 audited and within ceilings, 3 isolated and forked
  std::uint64_t pairs = 0;
  ridge::interval aa{1, 1};    // ratio of identical code to itself: the noise floor
  double hodges_lehmann = 1;   // second estimate of the ratio, beside the median
  double autocorrelation = 0;  // of the log ratios at lag 1
  std::uint64_t block_length =
      1;  // 1: pairs are independent; else medians of so many consecutive pairs were used
  int looks = 0;
  double alpha_spent = 0;
  std::optional<double> ratio_unmarked{};  // without the samples marked by interference
  std::vector<library_use> libraries{};    // of its comparators
  std::vector<double> fork_ratios{};       // one per process, when several processes measured
  std::vector<check> checks{};
};

}  // namespace ridge::model
