// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/measurement.hpp>
#include <ridge/model/names.hpp>

namespace ridge::model {

// One check made on a comparison. A check that could not be made says why in `evidence` and is `skipped`.
struct check {
  std::string id{};  // "verified", "guards", "audit.allocations", "drift", "dependence", "interference" ...
  model::outcome result{model::outcome::skipped};
  std::optional<double> value{};
  std::optional<double> limit{};
  std::string unit{};
  std::string evidence{};
};

// Two variants measured interleaved: how many times better the candidate is than the reference in one metric.
struct comparison {
  std::string reference{};  // variant names within one family
  std::string candidate{};
  model::metric metric{};
  double ratio = 1;          // above 1 is better, always
  ridge::interval ci{1, 1};  // of the ratio
  double level = 0.95;       // confidence of `ci`, after Holm's correction within the family
  model::verdict verdict{model::verdict::inconclusive};
  bool headline = true;  // false: a step against the one before (interval only), or pedagogy
  bool judged = true;    // false: interval without a verdict
  int assurance = 0;     // 0 timed, 1 verified, 2 audited and within ceilings, 3 isolated and forked
  std::uint64_t pairs = 0;
  ridge::interval aa{1, 1};        // the control arm against its own reference: the noise floor
  double hodges_lehmann = 1;       // secondary estimate of the ratio
  double autocorrelation = 0;      // lag 1 of the log ratios
  std::uint64_t block_length = 1;  // 1: independent; else medians of consecutive pairs were used
  int looks = 0;
  double alpha_spent = 0;
  std::optional<double> ratio_unmarked{};  // without the samples marked by interference
  std::vector<double> fork_ratios{};       // one per fork, when forked
  std::vector<check> checks{};
};

}  // namespace ridge::model
