// SPDX-License-Identifier: Apache-2.0
// Compares rows of `ridge peak` on this GPU with what others measure, in turn and in one process. It prints
// for each row the median of Ridge's figures, of theirs and of the ratios. A ratio above 1 means that Ridge's
// figure is larger, for latencies too.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/base/units.hpp>
#include <ridge/probe/measure_peaks.hpp>
#include <ridge/stats/median.hpp>

#include "launch_peers.cuh"
#include "peak_peers.cuh"

namespace ridge::backends {
namespace measure_steady_clock {
std::unique_ptr<measure::clock> make();
}  // namespace measure_steady_clock
namespace probe_cuda {
std::unique_ptr<probe::prober> make();
}  // namespace probe_cuda
}  // namespace ridge::backends

namespace {

using ridge::model::ceiling;
using ridge::stats::median;

constexpr int turns = 3;
constexpr std::size_t gib = std::size_t{1} << 30;

struct peer {
  std::string row, name;
  std::function<double(const ceiling& ours)> measure;
};

std::size_t size_of(const ceiling& ours) { return static_cast<std::size_t>(ours.size_bytes); }

double best_of(double (*rate)(std::size_t bytes)) {
  double best = 0;
  for (const std::size_t size : {2 * gib, 4 * gib, 8 * gib}) best = std::max(best, rate(size));
  return best;
}

const std::vector<peer>& all_peers() {
  static const std::vector<peer> all{
      {"cuda.read", "CUB sum, best of 2, 4, 8 GiB", [](const ceiling&) { return best_of(peers::cub_sum); }},
      {"cuda.read", "BabelStream dot, 2 x 2 GiB", [](const ceiling&) { return peers::stream_dot(2 * gib); }},
      {"cuda.write", "cudaMemset, best of 2 to 8 GiB",
       [](const ceiling&) { return best_of(peers::driver_fill); }},
      {"cuda.copy", "cudaMemcpy, best of 2 to 8 GiB",
       [](const ceiling&) { return best_of(peers::driver_copy); }},
      {"cuda.copy", "BabelStream copy, 2 GiB", [](const ceiling&) { return peers::stream_copy(2 * gib); }},
      {"cuda.triad", "BabelStream triad, 2 GiB", [](const ceiling&) { return peers::stream_triad(2 * gib); }},
      {"cuda.l2.read", "gpu-l2-cache, same size",
       [](const ceiling& ours) { return peers::pieces_of_the_cache(size_of(ours)); }},
      {"cuda.l2.read", "gpu-l2-cache, 36 MiB",
       [](const ceiling&) { return peers::pieces_of_the_cache(36u << 20); }},
      {"cuda.latency.l1", "gpu-benches chase",
       [](const ceiling& ours) { return peers::chase(size_of(ours)); }},
      {"cuda.latency.l2", "gpu-benches chase",
       [](const ceiling& ours) { return peers::chase(size_of(ours)); }},
      {"cuda.latency.dram", "gpu-benches chase",
       [](const ceiling& ours) { return peers::chase(size_of(ours)); }},
      {"cuda.launch.sync", "bare launch and wait", [](const ceiling&) { return peers::launch_and_wait(); }},
      {"cuda.launch.queued", "bare chain of 500", [](const ceiling&) { return peers::queued_kernel(); }},
      {"cuda.graph.node", "bare graph of 1000", [](const ceiling&) { return peers::graph_kernel(); }},
  };
  return all;
}

void compare(ridge::probe::prober& prober, const ridge::probe::request& request, const peer& other) {
  std::vector<double> ours, theirs, ratios;
  std::string unit;
  for (int i = 0; i < turns; ++i) {
    const auto rows = measure_peaks(prober, request, ridge::probe::row_filter({other.row}));
    if (rows.empty()) {
      std::printf("%-20s not measured here\n", other.row.c_str());
      return;
    }
    unit = rows.front().unit;
    ours.push_back(rows.front().value);
    theirs.push_back(other.measure(rows.front()));
    ratios.push_back(ours.back() / theirs.back());
  }
  std::printf("%-20s %-14s  %-30s %-14s  ratio %.4f\n", other.row.c_str(),
              ridge::format_quantity(median(ours), unit, 4).c_str(), other.name.c_str(),
              ridge::format_quantity(median(theirs), unit, 4).c_str(), median(ratios));
}

}  // namespace

int main() {
  try {
    const auto clock = ridge::backends::measure_steady_clock::make();
    const auto with = ridge::backends::probe_cuda::make();
    (void)with->probes();
    for (const auto& other : all_peers()) compare(*with, {.clock = *clock}, other);
  } catch (const ridge::unavailable& lacking) {
    std::printf("skipped: %s\n", lacking.why().text().c_str());
    return 77;
  } catch (const ridge::failure& failed) {
    std::fprintf(stderr, "cuda_peaks: %s\n", failed.why().text().c_str());
    return 1;
  }
}
