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

constexpr int queued = 500,
              launch_samples = 15;  // a stream accepts about a thousand before the host must wait

model::ceiling device_timed(std::string id, std::string title, cudaStream_t stream, int count,
                            const std::function<void()>& enqueue) {
  auto seconds = seconds_of(launch_samples, true, stream, enqueue);
  for (auto& s : seconds) s /= count;
  return with_median({.id = std::move(id), .description = std::move(title), .unit = "s", .variant = "events"},
                     std::move(seconds));
}

rows enqueuing(const request&) {
  gpu::side_stream stream;
  return {host_timed({"cuda.launch.enqueue", "putting an empty kernel on a stream", queued,
                      [&] { launch_empty(stream); }, [&] { stream.synchronize(); }})};
}

rows with_arguments(const request&) {
  gpu::side_stream stream;
  return {host_timed({"cuda.launch.arguments", "putting an empty kernel with 4 kB of arguments on a stream",
                      queued, [&] { launch_with_arguments(stream); }, [&] { stream.synchronize(); }})};
}

rows launching_and_waiting(const request&) {
  gpu::side_stream stream;
  return {host_timed({"cuda.launch.sync", "launching an empty kernel and waiting for it", 20, [&] {
                        launch_empty(stream);
                        stream.synchronize();
                      }})};
}

model::ceiling one_after_the_other(const gpu::side_stream& stream) {
  return device_timed("cuda.launch.queued", "an empty kernel among others on a stream", stream, queued, [&] {
    for (int i = 0; i < queued; ++i) launch_empty(stream);
  });
}

rows queueing(const request&) {
  const gpu::side_stream stream;
  return {one_after_the_other(stream)};
}

rows queueing_dependent(gpu_bench& gpu, const request&) {
  if (gpu.properties().major < 9)
    throw unavailable("dependent launches", "use a GPU of compute capability 9.0 or more");
  const gpu::side_stream stream;
  const auto without = one_after_the_other(stream);
  auto dependent =
      device_timed("cuda.launch.dependent", "an empty kernel launched as dependent of its predecessor",
                   stream, queued, [&] {
                     for (int i = 0; i < queued; ++i) launch_dependent(stream);
                   });
  dependent.note = fmt::format("{:.2f} times as fast as without", without.value / dependent.value);
  return {std::move(dependent)};
}

// The time per meeting is the difference between many meetings and few, divided by their number.
rows meeting(gpu_bench& gpu, const request&) {
  if (!gpu.properties().cooperativeLaunch) throw unavailable("cooperative launches", "use another GPU");
  constexpr int few = 100, many = 1100;
  gpu::side_stream stream;
  const auto seconds = [&](int rounds) {
    return seconds_of(launch_samples, true, stream,
                      [&] { launch_meetings(gpu.processors(), rounds, stream); });
  };
  const auto start = with_median({}, seconds(few)).value;
  auto all = seconds(many);
  for (auto& s : all) s = (s - start) / (many - few);
  return {with_median({.id = "cuda.launch.grid_sync",
                       .description = "all blocks of a kernel, one a multiprocessor, waiting for each other",
                       .unit = "s",
                       .variant = "cooperative groups"},
                      std::move(all))};
}

}  // namespace

// The probes of launches run first, because launches cost a process more after some kinds of kernels have
// run.
void add_launch_probes(probe_list& list, gpu_bench&) {
  const auto add = [&](std::string id, std::string title, std::string means, auto measure) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth::quick, measure});
  };
  add("cuda.launch.queued", "kernels one after the other", "the shortest time of a kernel on a stream",
      queueing);
  add("cuda.launch.sync", "launch and wait", "the shortest time of a step whose result the host needs",
      launching_and_waiting);
  add("cuda.launch.enqueue", "launching from the host", "what a launch costs the thread that makes it",
      enqueuing);
}

void add_further_launch_probes(probe_list& list, gpu_bench& bench) {
  const auto add = [&](std::string id, std::string title, std::string means, auto measure) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth::quick, measure});
  };
  add("cuda.launch.arguments", "launching with arguments", "what a launch with 4 kB of arguments costs",
      with_arguments);
  add("cuda.launch.dependent", "dependent launches", "what programmatic dependent launch gains",
      [&bench](const request& request) { return queueing_dependent(bench, request); });
  add("cuda.launch.grid_sync", "grid-wide barrier", "what a step costs in one kernel instead of two",
      [&bench](const request& request) { return meeting(bench, request); });
}

}  // namespace ridge::backends::probe_cuda
