// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/calibration.hpp>

#include <algorithm>
#include <cmath>

namespace ridge::harness {
namespace {

constexpr double shared_within = 4;

// Seconds of one call, from the first pair of consecutive samples that are long enough and agree.
double time_one_call(contestants& contest, std::size_t arm, const protocol& p) {
  std::uint64_t n = 1;
  double before = 0;
  for (int tries = 0; tries < 64; ++tries) {
    const double now = contest.run(arm, n).seconds;
    const bool enough = now >= p.sample_s || !contest.may_loop() || n >= p.most_iterations;
    if (enough && (now > p.longest_sample_s || !contest.may_loop())) return now / static_cast<double>(n);
    if (enough && before >= p.sample_s && std::fabs(now - before) <= 0.2 * std::max(now, before)) {
      return std::min(now, before) / static_cast<double>(n);
    }
    if (enough) {
      before = now;
      continue;
    }
    const double growth = now > 0 ? std::clamp(1.2 * p.sample_s / now, 2.0, 16.0) : 16.0;
    n = std::min(p.most_iterations, static_cast<std::uint64_t>(static_cast<double>(n) * growth));
    before = 0;
  }
  return before / static_cast<double>(n);
}

}  // namespace

calibration calibrate(contestants& contest, const protocol& p) {
  calibration found;
  contest.begin_round(0);
  for (std::size_t arm = 0; arm < contest.arms(); ++arm)
    found.call_s.push_back(time_one_call(contest, arm, p));
  (void)contest.end_round(0);
  const double fastest = std::max(*std::ranges::min_element(found.call_s), 1e-12);
  const auto count_for = [&](double call_s) {
    const double wanted = std::ceil(p.sample_s / call_s);
    if (!contest.may_loop() || call_s >= p.single_call_s || wanted < 1) return std::uint64_t{1};
    return wanted < static_cast<double>(p.most_iterations) ? static_cast<std::uint64_t>(wanted)
                                                           : p.most_iterations;
  };
  for (const double call_s : found.call_s) {
    const bool shares = call_s <= shared_within * fastest;
    found.iterations.push_back(count_for(shares ? fastest : call_s));
  }
  return found;
}

}  // namespace ridge::harness
