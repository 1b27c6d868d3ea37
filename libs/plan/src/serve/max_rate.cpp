// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/max_rate.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <thread>

#include <ridge/base/expects.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::plan::serve {
namespace {

constexpr double highest_factor = 1e6;  // relative to the guess

// The search on one sample: the rates to simulate next, and the results so far.
class bracket {
 public:
  bracket(const max_rate_settings& settings, int sample) : settings_(settings), sample_(sample) {
    low_ = settings.low, high_ = settings.high;
  }
  [[nodiscard]] bool done() const {
    if (unbounded_ || hopeless_) return true;
    return low_ > 0 && high_ > 0 && high_ / low_ <= 1 + settings_.tolerance;
  }
  [[nodiscard]] std::vector<rate_probe> wanted() const {
    std::vector<rate_probe> next;
    const int n = settings_.probes_per_round;
    for (int i = 1; i <= n; ++i) next.push_back({.rate = rate_of(i, n), .sample = sample_});
    return next;
  }
  // The first rate that fails is the upper end of the bracket: success above it is chance.
  void learn(std::span<const rate_probe> seen) {
    for (const auto& p : seen) {
      if (!p.met) {
        high_ = p.rate;
        break;
      }
      low_ = p.rate;
    }
    unbounded_ = high_ == 0 && low_ > settings_.guess * highest_factor;
    hopeless_ = low_ == 0 && high_ < settings_.guess / highest_factor;
  }
  [[nodiscard]] double found() const { return low_; }
  [[nodiscard]] bool unbounded() const { return unbounded_; }

 private:
  [[nodiscard]] double rate_of(int i, int n) const {
    if (low_ > 0 && high_ > 0) return low_ * std::pow(high_ / low_, static_cast<double>(i) / (n + 1));
    if (low_ > 0) return low_ * std::exp2(i);
    if (high_ > 0) return high_ * std::exp2(i - n - 1);
    return settings_.guess * std::exp2(i - 1);
  }
  const max_rate_settings& settings_;
  int sample_;
  double low_ = 0, high_ = 0;
  bool unbounded_ = false, hopeless_ = false;
};

void probe_all(std::vector<rate_probe>& probes, int threads,
               const std::function<rate_probe(double, int)>& meets) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (auto i = next++; i < probes.size(); i = next++) probes[i] = meets(probes[i].rate, probes[i].sample);
  };
  std::vector<std::jthread> helpers;
  for (int t = 1; t < threads; ++t) helpers.emplace_back(work);
  work();
}

// Mean and 95 % interval of the samples' rates.
void summarize(max_rate_result& r) {
  const auto n = static_cast<double>(r.samples.size());
  double sum = 0, squares = 0;
  for (const double x : r.samples) sum += x;
  r.rate = sum / n;
  for (const double x : r.samples) squares += (x - r.rate) * (x - r.rate);
  const double half = n > 1 ? stats::student_t_quantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n) : 0;
  r.low = std::max(0.0, r.rate - half);
  r.high = r.rate + half;
}

}  // namespace

max_rate_result find_max_rate(const max_rate_settings& settings,
                              const std::function<rate_probe(double rate, int sample)>& meets,
                              const std::function<bool()>& stop) {
  expects(
      settings.guess > 0 && settings.samples >= 1 && settings.probes_per_round >= 1 && settings.tolerance > 0,
      "find_max_rate: a guess, samples, probes and a tolerance above 0");
  std::vector<bracket> searches;
  for (int s = 0; s < settings.samples; ++s) searches.emplace_back(settings, s);
  max_rate_result made;
  while (!(stop && stop())) {
    std::vector<rate_probe> round;
    for (const auto& b : searches) {
      if (b.done()) continue;
      const auto wanted = b.wanted();
      round.insert(round.end(), wanted.begin(), wanted.end());
    }
    if (round.empty()) break;
    probe_all(round, settings.threads, meets);
    made.probes.insert(made.probes.end(), round.begin(), round.end());
    std::size_t at = 0;
    for (auto& b : searches) {
      if (b.done()) continue;
      const auto n = static_cast<std::size_t>(settings.probes_per_round);
      b.learn(std::span(round).subspan(at, n));
      at += n;
    }
  }
  for (const auto& b : searches) {
    made.samples.push_back(b.found());
    made.unbounded |= b.unbounded();
  }
  summarize(made);
  return made;
}

}  // namespace ridge::plan::serve
