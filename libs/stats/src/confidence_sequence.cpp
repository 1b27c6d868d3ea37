// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/confidence_sequence.hpp>

#include <cmath>
#include <numbers>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

constexpr double mixture = 8;

double log_evidence(std::size_t n, std::size_t positive) {
  const auto above = static_cast<double>(positive);
  const auto below = static_cast<double>(n - positive);
  const double fair = static_cast<double>(n) * std::numbers::ln2;
  return fair + log_beta(above + mixture, below + mixture) - log_beta(mixture, mixture);
}

}  // namespace

std::size_t anytime_rank(std::size_t n, double alpha) {
  expects(alpha > 0 && alpha < 1, "anytime_rank: alpha lies strictly between 0 and 1");
  // The evidence falls as the signs approach balance, so the ranks that suffice are 1 up to some rank.
  std::size_t holds = 0;
  std::size_t fails = n / 2 + 1;
  while (fails - holds > 1) {
    const auto k = holds + (fails - holds) / 2;
    (log_evidence(n, k - 1) >= -std::log(alpha) ? holds : fails) = k;
  }
  return holds;
}

}  // namespace ridge::stats
