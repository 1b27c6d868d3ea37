// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/session.hpp>

#include "rule.hpp"
#include "stopwatch.hpp"

namespace ridge::peers {
namespace {

// The workload as both arms.
class twins final : public harness::contestants {
 public:
  explicit twins(workload& subject) : workload_(subject) {}
  std::size_t arms() const override { return 2; }
  harness::sample run(std::size_t, std::uint64_t n) override {
    const double seconds = seconds_of(workload_, n);
    per_call_ = seconds / static_cast<double>(n);
    return {seconds, {&per_call_, 1}};
  }

 private:
  workload& workload_;
  double per_call_ = 0;
};

std::uint64_t next_seed() {
  static std::uint64_t seed = 0;
  return ++seed;
}

}  // namespace

outcome ridge_paired(workload& subject, double budget_s) {
  twins arms(subject);
  const harness::protocol p{.budget_s = budget_s, .warm_up_max_s = budget_s / 5, .seed = next_seed()};
  const auto record = harness::measure(arms, p, {{0, 1}}, {model::better::lower});
  const auto& estimate = record.results[0].estimate;
  return {!estimate.ci.contains(1), estimate.ratio};
}

}  // namespace ridge::peers
