// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
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

constexpr int calls = 200, hops = 100, event_samples = 15;

rows events(const request&) {
  gpu::side_stream stream;
  gpu::event one;
  const auto settle = [&] { stream.synchronize(); };
  return {host_timed({"cuda.event.record", "recording an event", calls, [&] { one.record(stream); }, settle}),
          host_timed({"cuda.event.query", "asking whether an event was reached", calls,
                      [&] { (void)one.reached(); }}),
          host_timed({"cuda.event.wait", "telling a stream to wait for an event", calls,
                      [&] { one.hold_back(stream); }, settle})};
}

// Goes to the other stream and back, with an empty kernel on each.
rows hopping(const request&) {
  gpu::side_stream here, there;
  const auto enqueue = [&] {
    for (int i = 0; i < hops / 2; ++i) {
      launch_empty(here);
      there.fork_from(here);
      launch_empty(there);
      there.join(here);
    }
  };
  auto seconds = seconds_of(event_samples, true, here, enqueue);
  for (auto& s : seconds) s /= hops;
  return {with_median({.id = "cuda.stream.hop",
                       .description = "a kernel that waits for its predecessor on another stream",
                       .unit = "s",
                       .variant = "events"},
                      std::move(seconds))};
}

}  // namespace

void add_event_probes(probe_list& list, gpu_bench&) {
  list.push_back({"cuda.event", "events", "what ordering streams costs the host", depth::quick, events});
  list.push_back({"cuda.stream.hop", "from stream to stream", "what ordering streams costs the device",
                  depth::quick, hopping});
}

}  // namespace ridge::backends::probe_cuda
