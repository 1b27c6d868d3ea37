// SPDX-License-Identifier: Apache-2.0
#include "timing/best_rate.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/stats/quantile.hpp>

#include "conditions/state_watch.hpp"
#include "timing/held_timer.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr double brief_s = 2e-3;
constexpr int turns = 3, most_passes = 256;

struct effort {
  double burst_s;
  int samples;
};

effort effort_of(probe::depth depth) {
  switch (depth) {
    case probe::depth::essential:
      return {3e-3, 11};
    case probe::depth::quick:
      return {4e-3, 11};
    case probe::depth::standard:  // as long as a meter needs to see the load
      return {8e-3, 41};
    case probe::depth::deep:
      return {20e-3, 31};
  }
  return {8e-3, 15};
}

// Bursts of one trial, each of several passes that take some milliseconds together.
class bursts_of_trial {
 public:
  bursts_of_trial(held_timer& timer, const trial& trial) : timer_(timer), trial_(trial) {
    (void)rate(1);
    (void)rate(1);
  }
  double rate(int passes) {
    double work = 0;
    const double seconds = timer_.seconds([&] {
      for (int i = 0; i < passes; ++i) work += trial_.enqueue();
    });
    pass_s_ = std::max(seconds / passes, 1e-7);
    return work / seconds;
  }
  int passes_in(double seconds) const {
    return static_cast<int>(std::clamp<double>(std::ceil(seconds / pass_s_), 1, most_passes));
  }

 private:
  held_timer& timer_;
  const trial& trial_;
  double pass_s_ = 0;
};

// Launches every trial once. The first launch loads the kernel, for which the device may have to be idle, so
// that it must not happen behind a hold.
void warm_up(const std::vector<trial>& trials) {
  for (const auto& one : trials) (void)one.enqueue();
  gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize after a probe's first launches");
}

std::vector<double> tried(held_timer& timer, const std::vector<trial>& trials) {
  warm_up(trials);
  std::vector<std::vector<double>> rates(trials.size());
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < trials.size(); ++i) {
      bursts_of_trial one(timer, trials[i]);
      rates[i].push_back(one.rate(one.passes_in(brief_s)));
    }
  }
  std::vector<double> medians;
  for (const auto& own : rates) medians.push_back(stats::median(own));
  return medians;
}

}  // namespace

model::ceiling with_median(model::ceiling row, std::vector<double> samples) {
  expects(!samples.empty(), "a median of at least one sample");
  std::ranges::sort(samples);
  const auto found = stats::quantile_with_interval(samples, 0.5, 0.95);
  row.value = found ? found->value : stats::median(samples);
  row.ci = found ? found->ci : interval{samples.front(), samples.back()};
  return row;
}

double brief_rate(const trial& trial) {
  held_timer timer;
  return tried(timer, {trial}).front();
}

model::ceiling best_rate(model::ceiling row, const probe::request& request,
                         const std::vector<trial>& trials) {
  expects(!trials.empty(), "at least one way to do it");
  held_timer timer;
  const auto rates = tried(timer, trials);
  const auto best = static_cast<std::size_t>(std::ranges::max_element(rates) - rates.begin());
  for (std::size_t i = 0; trials.size() > 1 && i < trials.size(); ++i)
    row.series.push_back({trials[i].name, rates[i]});
  if (!trials[best].name.empty()) row.variant = trials[best].name;
  const auto [burst_s, count] = effort_of(request.depth);
  bursts_of_trial winner(timer, trials[best]);
  const int passes = winner.passes_in(burst_s);
  state_watch state(request.gpu_state);
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(winner.rate(passes));
  row = with_median(std::move(row), std::move(samples));
  state.finish(row);
  return row;
}

}  // namespace ridge::backends::probe_cuda
