// SPDX-License-Identifier: Apache-2.0
#include "stored/recompute.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/harness/forks.hpp>
#include <ridge/harness/independent_values.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/harness/verdict.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/stats/dependence.hpp>
#include <ridge/stats/hierarchy.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::app {
namespace {

// Compares numbers to nine digits, which archived runs hold of a sample.
bool same(double a, double b) {
  return a == b || std::fabs(a - b) <= 1e-8 * std::max(std::fabs(a), std::fabs(b));
}

// Returns the series of a metric, one per fork.
std::vector<const model::series*> series_of(const model::measurement& m, const std::string& metric) {
  std::vector<const model::series*> found;
  for (const auto& one : m.samples) {
    if (one.metric.name == metric) found.push_back(&one);
  }
  return found;
}

harness::arm_record record_of(const model::series& series) {
  return {.values = {series.value}, .round = series.block};
}

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> kept;
  std::ranges::copy_if(values, std::back_inserter(kept), [](double x) { return std::isfinite(x); });
  return kept;
}

// Returns whether the interval of `c` is two order statistics of `x` at equal ranks from both ends, with at
// least the confidence that is claimed.
bool supports(std::vector<double> x, const model::comparison& c) {
  if (c.block_length > 1) x = stats::block_medians(x, c.block_length);
  std::ranges::sort(x);
  for (std::size_t k = 1; 2 * k <= x.size(); ++k) {
    const bool here = same(std::exp(x[k - 1]), c.ci.lo) && same(std::exp(x[x.size() - k]), c.ci.hi);
    if (here) return stats::rank_confidence(x.size(), k) >= c.level - 1e-9;
  }
  return false;
}

class checker {
 public:
  checker(const model::run& run, const model::family& family, recomputed& found)
      : run_(run), family_(family), found_(found) {}

  void check_medians(const model::measurement& m) {
    for (const auto& estimate : m.metrics) {
      std::vector<double> medians;
      for (const auto* one : series_of(m, estimate.metric.name)) {
        if (const auto values = finite(one->value); !values.empty()) medians.push_back(stats::median(values));
      }
      if (medians.empty()) continue;
      ++found_.medians;
      expect(same(stats::median(medians), estimate.median),
             fmt::format("{} {}", m.variant, estimate.metric.name), "median", estimate.median,
             stats::median(medians));
    }
  }

  void check_comparison(const model::comparison& c) {
    const auto* reference = model::find(family_, c.reference);
    const auto* candidate = model::find(family_, c.candidate);
    if (reference == nullptr || candidate == nullptr) return;
    const auto left = series_of(*reference, c.metric.name), right = series_of(*candidate, c.metric.name);
    if (left.empty() || left.size() != right.size()) return;
    ++found_.comparisons;
    std::vector<double> logs;
    std::vector<double> x;
    for (std::size_t fork = 0; fork < left.size(); ++fork) {
      x = harness::log_ratios(record_of(*left[fork]), record_of(*right[fork]), 0, c.metric.better);
      if (x.empty()) return;
      logs.push_back(stats::median(from_blocks() ? harness::independent_values_of(x).values : x));
    }
    const auto name = fmt::format("{} vs {} ({})", c.candidate, c.reference, c.metric.name);
    const auto across = stats::across_forks(logs, 1 - c.level);
    const bool forked = logs.size() > 1;
    const double ratio = forked ? std::exp((across.lo + across.hi) / 2) : std::exp(logs.front());
    expect(same(ratio, c.ratio), name, "ratio", c.ratio, ratio);
    if (from_blocks() && c.pairs > 0 && !c.ci.contains(c.ratio))
      complain(name,
               fmt::format("the ratio {} lies outside its interval [{}, {}]", c.ratio, c.ci.lo, c.ci.hi));
    const bool interval_holds = forked
                                    ? same(std::exp(across.lo), c.ci.lo) && same(std::exp(across.hi), c.ci.hi)
                                    : !std::isfinite(c.ci.hi) || supports(std::move(x), c);
    if (!interval_holds)
      complain(name, fmt::format("interval [{}, {}] does not follow from the samples", c.ci.lo, c.ci.hi));
    check_verdict(c, name);
  }

 private:
  // Whether the run's ratios come from the same values as their intervals. Runs before that day state the
  // median of all pairs even where the interval comes from medians of blocks.
  bool from_blocks() const { return run_.started >= "2026-11-23"; }
  // Whether BETTER and WORSE needed a noise floor below them when the run was made: there is a check of it
  // since.
  static bool knows_noise_floor(const model::comparison& c) {
    return std::ranges::find(c.checks, "noise", &model::check::id) != c.checks.end();
  }
  void check_verdict(const model::comparison& c, const std::string& name) {
    const bool stands_apart = c.verdict == model::verdict::invalid || c.verdict == model::verdict::unverified;
    if (!c.judged || stands_apart) return;
    const auto of_interval = harness::judge(c.ci, run_.min_effect);
    const auto again = harness::above_noise(of_interval, c.ratio, c.aa);
    const bool stood_then = !knows_noise_floor(c) && of_interval == c.verdict;
    if (again != c.verdict && !stood_then)
      complain(name, fmt::format("the file has the verdict {}, its interval gives {}", model::name(c.verdict),
                                 model::name(again)));
  }
  void expect(bool holds, const std::string& subject, std::string_view quantity, double filed, double again) {
    if (!holds)
      complain(subject, fmt::format("the file has the {} {}, the samples give {}", quantity, filed, again));
  }
  void complain(const std::string& subject, const std::string& difference) {
    found_.differences.push_back(
        fmt::format("{} {}: {}: {}", family_.experiment, model::text(family_.problem), subject, difference));
  }
  const model::run& run_;
  const model::family& family_;
  recomputed& found_;
};

}  // namespace

recomputed recompute(const model::run& run) {
  recomputed all;
  for (const auto& family : run.families) {
    checker check(run, family, all);
    for (const auto& m : family.measurements) check.check_medians(m);
    for (const auto& c : family.comparisons) check.check_comparison(c);
  }
  return all;
}

}  // namespace ridge::app
