// SPDX-License-Identifier: Apache-2.0
#include "serving/replayed.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/stats/quantile.hpp>

#include "timing/event_seconds.hpp"

namespace ridge::backends::probe_cuda {
namespace {

// A replay is long against the resolution of events (0.5 us) and short against a limit of power.
constexpr double replay_s = 3e-3;
constexpr int trial_calls = 8, least_calls = 3, most_calls = 512, samples = 9;

int calls_in_a_replay(double one_s) {
  return std::clamp(static_cast<int>(std::lround(replay_s / std::max(one_s, 1e-7))), least_calls, most_calls);
}

gpu::graph chain(cudaStream_t stream, int calls, int sets,
                 const std::function<void(cudaStream_t, int)>& enqueue) {
  return {stream, [&] {
            for (int i = 0; i < calls; ++i) enqueue(stream, i % sets);
          }};
}

}  // namespace

probe::kernel_timing timing_of(std::vector<double> seconds, int calls) {
  for (auto& s : seconds) s /= calls;
  const auto n = static_cast<int>(seconds.size());
  std::ranges::sort(seconds);
  const double median = stats::sorted_quantile(seconds, 0.5);
  const double half = stats::sorted_quantile(seconds, 0.75) - stats::sorted_quantile(seconds, 0.25);
  return {.seconds = median, .spread = median > 0 ? half / median : 0, .samples = n};
}

probe::kernel_timing replayed_graphs(cudaStream_t stream,
                                     const std::function<std::function<void()>(int calls)>& recorded) {
  const auto trial = recorded(trial_calls);
  trial();
  const double one = event_seconds(stream, trial) / trial_calls;
  const int calls = calls_in_a_replay(one);
  const auto all = recorded(calls);
  all();
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) seconds.push_back(event_seconds(stream, all));
  return timing_of(std::move(seconds), calls);
}

probe::kernel_timing replayed(cudaStream_t stream, int sets,
                              const std::function<void(cudaStream_t stream, int set)>& enqueue) {
  enqueue(stream, 0);  // loads the kernel, which a recording must not do
  gpu::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize after the first call of a kernel");
  return replayed_graphs(stream, [&](int calls) {
    const auto made = std::make_shared<gpu::graph>(chain(stream, calls, sets, enqueue));
    return [made, stream] { made->launch(stream); };
  });
}

probe::kernel_timing streamed(cudaStream_t stream, int sets,
                              const std::function<void(cudaStream_t stream, int set)>& enqueue) {
  const auto seconds_of = [&](int calls) {
    return event_seconds(stream, [&] {
      for (int i = 0; i < calls; ++i) enqueue(stream, i % sets);
    });
  };
  (void)seconds_of(1);
  const int calls = calls_in_a_replay(seconds_of(trial_calls) / trial_calls);
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) seconds.push_back(seconds_of(calls));
  return timing_of(std::move(seconds), calls);
}

}  // namespace ridge::backends::probe_cuda
