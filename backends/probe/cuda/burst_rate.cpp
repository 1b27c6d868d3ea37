// SPDX-License-Identifier: Apache-2.0
#include "burst_rate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include <ridge/gpu/event.hpp>
#include <ridge/stats/quantile.hpp>

#include "state_watch.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int warm_ups = 10, samples = 15;
constexpr double burst_s = 2e-3, calibrated_from_s = 0.5e-3;
constexpr int first_rounds = 1, most_rounds = 1 << 20;

struct burst {
  double seconds = 0, work = 0;
};

class stopwatch {
 public:
  burst time(const std::function<double(int)>& enqueue, int rounds) {
    start_.record(nullptr);
    const double work = enqueue(rounds);
    end_.record(nullptr);
    end_.synchronize();
    return {end_.seconds_since(start_), work};
  }

 private:
  gpu::event start_{gpu::timing::on}, end_{gpu::timing::on};
};

// So many rounds that a burst takes burst_s. The first call, which loads the kernel, is not asked.
int calibrated(stopwatch& watch, const std::function<double(int)>& enqueue) {
  (void)watch.time(enqueue, first_rounds);
  int rounds = first_rounds;
  auto seen = watch.time(enqueue, rounds);
  while (seen.seconds < calibrated_from_s && rounds < most_rounds) {
    rounds *= 4;
    seen = watch.time(enqueue, rounds);
  }
  const double wanted = std::round(rounds * burst_s / std::max(seen.seconds, 1e-6));
  return static_cast<int>(std::clamp<double>(wanted, first_rounds, most_rounds));
}

}  // namespace

model::ceiling burst_rate(model::ceiling what, const probe::request& how,
                          const std::function<double(int)>& enqueue) {
  stopwatch watch;
  state_watch state(how.gpu_state);
  const int rounds = calibrated(watch, enqueue);
  for (int i = 0; i < warm_ups; ++i) (void)watch.time(enqueue, rounds);
  std::vector<double> rates;
  for (int i = 0; i < samples; ++i) {
    std::this_thread::sleep_for(std::chrono::duration<double>(burst_s));
    const auto seen = watch.time(enqueue, rounds);
    rates.push_back(seen.work / seen.seconds);
  }
  std::ranges::sort(rates);
  const auto found = stats::quantile_with_interval(rates, 0.5, 0.95);
  what.value = found ? found->value : rates[rates.size() / 2];
  what.ci = found ? found->ci : interval{rates.front(), rates.back()};
  state.finish(what);
  return what;
}

}  // namespace ridge::backends::probe_cuda
