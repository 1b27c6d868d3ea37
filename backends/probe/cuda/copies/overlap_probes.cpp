// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/stats/quantile.hpp>

#include "allocation/host_buffer.hpp"
#include "copies/transfer.hpp"
#include "launches/launch_kernels.cuh"
#include "probe_lists.hpp"
#include "timing/best_rate.hpp"
#include "timing/held_timer.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr std::size_t overlap_bytes = std::size_t{64} << 20;
constexpr int overlap_copies = 8, overlap_samples = 9;
constexpr std::array ways{direction::to_device, direction::to_host};

// One direction of copies with its buffers, its stream and the rates that were measured.
struct lane {
  explicit lane(direction wanted) : way(wanted) {}
  direction way;
  host_buffer host{host_memory::pinned, overlap_bytes};
  gpu::device_memory device{overlap_bytes};
  gpu::side_stream stream{};
  gpu::event end{gpu::timing::on};
  std::vector<double> rates{};

  void enqueue() {
    for (int i = 0; i < overlap_copies; ++i)
      enqueue_copy(way, device.data(), host.data(), overlap_bytes, stream);
    end.record(stream);
  }
  double seconds_since(const gpu::event& start) {
    end.synchronize();
    return end.seconds_since(start);
  }
};

// Bytes per second of both lanes together, which start at the same time behind one hold; 0 where the hold
// timed out.
double sum_of_both(std::array<lane, 2>& lanes, held_timer& timer) {
  gpu::event start(gpu::timing::on);
  timer.hold();
  start.record(lanes[0].stream);
  lanes[1].stream.fork_from(lanes[0].stream);
  for (auto& one : lanes) one.enqueue();
  if (!timer.release()) return 0;
  double last = 0;
  constexpr double moved = static_cast<double>(overlap_bytes) * overlap_copies;
  for (auto& one : lanes) {
    const double seconds = one.seconds_since(start);
    one.rates.push_back(moved / seconds);
    last = std::max(last, seconds);
  }
  return 2 * moved / last;
}

rows both_ways(const request&) {
  std::array<lane, 2> lanes{lane(ways[0]), lane(ways[1])};
  for (auto& one : lanes) one.enqueue();
  for (auto& one : lanes) one.stream.synchronize();
  std::vector<double> sums;
  {
    held_timer timer(lanes[0].stream);
    for (int i = 0; i < overlap_samples; ++i)
      if (const double sum = sum_of_both(lanes, timer); sum > 0) sums.push_back(sum);
  }
  if (sums.empty()) throw failure({"the copies could not be enqueued in half a second", "measure again"});
  auto row = with_median({.id = "cuda.bidirectional",
                          .description = "copies both ways at once, pinned, bytes of both",
                          .unit = "B/s",
                          .variant = "copy engines, two streams",
                          .size_bytes = static_cast<double>(overlap_bytes)},
                         std::move(sums));
  row.series = {{"host to device", stats::median(lanes[0].rates)},
                {"device to host", stats::median(lanes[1].rates)}};
  return {std::move(row)};
}

double seconds_of_copies(lane& lane) {
  gpu::event start(gpu::timing::on);
  start.record(lane.stream);
  lane.enqueue();
  return lane.seconds_since(start);
}

// The rate of copies while a kernel keeps every multiprocessor busy.
rows beside_a_kernel(gpu_bench& gpu, const request&) {
  lane one(direction::to_device);
  gpu::side_stream busy;
  (void)seconds_of_copies(one);
  const double longer_s = 2 * seconds_of_copies(one) + 1e-3;
  keep_busy(gpu.processors(), 0, busy);
  busy.synchronize();
  std::vector<double> rates;
  int outlasted = 0;
  for (int i = 0; i < overlap_samples; ++i) {
    keep_busy(gpu.processors(), longer_s, busy);
    rates.push_back(static_cast<double>(overlap_bytes) * overlap_copies / seconds_of_copies(one));
    outlasted += cudaStreamQuery(busy) == cudaErrorNotReady;
    busy.synchronize();
  }
  auto row = with_median({.id = "cuda.h2d.beside_kernel",
                          .description = "copies to the GPU while a kernel runs on all multiprocessors",
                          .unit = "B/s",
                          .variant = "copy engine",
                          .size_bytes = static_cast<double>(overlap_bytes)},
                         std::move(rates));
  if (outlasted < overlap_samples) row.note = "the copies waited for the kernel: they do not overlap";
  return {std::move(row)};
}

}  // namespace

void add_overlap_probes(probe_list& list, gpu_bench& bench) {
  list.push_back({"cuda.bidirectional", "host and GPU, both ways at once",
                  "bounds loops that copy in both directions", depth::quick, both_ways});
  list.push_back({"cuda.h2d.beside_kernel", "host to GPU beside a kernel",
                  "whether copies overlap with kernels", depth::standard,
                  [&bench](const request& request) { return beside_a_kernel(bench, request); }});
}

}  // namespace ridge::backends::probe_cuda
