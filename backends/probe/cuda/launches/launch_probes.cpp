// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/side_stream.hpp>

#include "copies/transfer.hpp"
#include "launches/launch_kernels.cuh"
#include "probe_lists.hpp"
#include "timing/best_rate.hpp"
#include "timing/host_timed.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr int queued = 500, samples = 15;  // a stream takes about a thousand before the host has to wait

model::ceiling device_timed(std::string id, std::string title, cudaStream_t on, int count,
                            const std::function<void()>& enqueue) {
  auto seconds = seconds_of(samples, true, on, enqueue);
  for (auto& s : seconds) s /= count;
  return with_median({.id = std::move(id), .what = std::move(title), .unit = "s", .variant = "events"},
                     std::move(seconds));
}

rows enqueuing(const request&) {
  gpu::side_stream on;
  return {host_timed({"cuda.launch.enqueue", "putting an empty kernel on a stream", queued,
                      [&] { launch_empty(on); }, [&] { on.synchronize(); }})};
}

rows with_arguments(const request&) {
  gpu::side_stream on;
  return {host_timed({"cuda.launch.arguments", "putting an empty kernel with 4 kB of arguments on a stream",
                      queued, [&] { launch_with_arguments(on); }, [&] { on.synchronize(); }})};
}

rows launching_and_waiting(const request&) {
  gpu::side_stream on;
  return {host_timed({"cuda.launch.sync", "launching an empty kernel and waiting for it", 20, [&] {
                        launch_empty(on);
                        on.synchronize();
                      }})};
}

model::ceiling one_after_the_other(const gpu::side_stream& on) {
  return device_timed("cuda.launch.queued", "an empty kernel among others on a stream", on, queued, [&] {
    for (int i = 0; i < queued; ++i) launch_empty(on);
  });
}

rows queueing(const request&) {
  const gpu::side_stream on;
  return {one_after_the_other(on)};
}

rows queueing_dependent(gpu_bench& gpu, const request&) {
  if (gpu.gpu().major < 9)
    throw unavailable("dependent launches", "use a GPU of compute capability 9.0 or more");
  const gpu::side_stream on;
  const auto without = one_after_the_other(on);
  auto dependent = device_timed("cuda.launch.dependent",
                                "an empty kernel launched as dependent of the one before", on, queued, [&] {
                                  for (int i = 0; i < queued; ++i) launch_dependent(on);
                                });
  dependent.note = fmt::format("{:.2f} times as fast as without", without.value / dependent.value);
  return {std::move(dependent)};
}

// The difference of many meetings and few, which start and end alike.
rows meeting(gpu_bench& gpu, const request&) {
  if (!gpu.gpu().cooperativeLaunch) throw unavailable("cooperative launches", "use another GPU");
  constexpr int few = 100, many = 1100;
  gpu::side_stream on;
  const auto seconds = [&](int rounds) {
    return seconds_of(samples, true, on, [&] { launch_meetings(gpu.processors(), rounds, on); });
  };
  const auto start = with_median({}, seconds(few)).value;
  auto all = seconds(many);
  for (auto& s : all) s = (s - start) / (many - few);
  return {with_median({.id = "cuda.launch.grid_sync",
                       .what = "all blocks of a kernel, one a multiprocessor, waiting for each other",
                       .unit = "s",
                       .variant = "cooperative groups"},
                      std::move(all))};
}

}  // namespace

// What only launches comes first: after some kinds of kernels a process pays more for each launch.
void add_launch_probes(probe_list& list, gpu_bench&) {
  const auto add = [&](std::string id, std::string title, std::string means, auto measure) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth::quick, measure});
  };
  add("cuda.launch.queued", "kernels one after the other", "the least that a kernel takes of a stream",
      queueing);
  add("cuda.launch.sync", "launch and wait", "the least that a step takes whose result the host wants",
      launching_and_waiting);
  add("cuda.launch.enqueue", "launching from the host", "what a launch costs the thread that makes it",
      enqueuing);
}

void add_further_launch_probes(probe_list& list, gpu_bench& bench) {
  const auto add = [&](std::string id, std::string title, std::string means, auto measure) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth::quick, measure});
  };
  add("cuda.launch.arguments", "launching with arguments", "what a launch costs that brings 4 kB along",
      with_arguments);
  add("cuda.launch.dependent", "dependent launches", "what programmatic dependent launch gains",
      [&bench](const request& request) { return queueing_dependent(bench, request); });
  add("cuda.launch.grid_sync", "grid-wide barrier", "what a step costs in one kernel instead of two",
      [&bench](const request& request) { return meeting(bench, request); });
}

}  // namespace ridge::backends::probe_cuda
