// SPDX-License-Identifier: Apache-2.0
// Transfers between GPUs by plain peer access, without multicast objects.
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/stats/quantile.hpp>

#include "latency/chase_kernels.cuh"
#include "memory/stream_check.cuh"
#include "peers/peer_access.hpp"
#include "probe_lists.hpp"
#include "timing/best_rate.hpp"
#include "timing/event_seconds.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr std::size_t peer_bytes = std::size_t{256} << 20;
constexpr int peer_samples = 9, peer_copies = 4;

// Copies from the first GPU's memory to the second's by the first GPU's copy engine.
std::vector<double> rates_of_engine(const peer_pair& pair) {
  const on_device here(pair.first);
  gpu::side_stream stream;
  std::vector<double> rates;
  for (int i = 0; i <= peer_samples; ++i) {
    const double seconds = event_seconds(stream, [&] {
      for (int k = 0; k < peer_copies; ++k)
        gpu::check(
            cudaMemcpyPeerAsync(pair.there(), pair.second, pair.here(), pair.first, peer_bytes, stream),
            "cudaMemcpyPeerAsync");
    });
    if (i > 0) rates.push_back(static_cast<double>(peer_bytes) * peer_copies / seconds);
  }
  return rates;
}

// Copies by a kernel of the first GPU, from its memory to the second's or, where `reads`, in the other
// direction.
std::vector<double> rates_of_kernel(const peer_pair& pair, bool reads, int processors) {
  const on_device here(pair.first);
  gpu::side_stream stream;
  const auto& v = variants_of(traffic::copy).front();
  const stream_arrays arrays{reinterpret_cast<const uint4*>(reads ? pair.there() : pair.here()), nullptr,
                             reinterpret_cast<uint4*>(reads ? pair.here() : pair.there()), nullptr,
                             peer_bytes};
  std::vector<double> rates;
  for (int i = 0; i <= peer_samples; ++i) {
    const double seconds = event_seconds(stream, [&] {
      for (int k = 0; k < peer_copies; ++k) v.launch(v, arrays, processors, stream);
    });
    if (i > 0) rates.push_back(static_cast<double>(peer_bytes) * peer_copies / seconds);
  }
  return rates;
}

// Copies by both copy engines at once, each writing to the other GPU.
std::vector<double> rates_both_ways(const peer_pair& pair) {
  const on_device here(pair.first);
  gpu::side_stream out, back;
  std::vector<double> rates;
  for (int i = 0; i <= peer_samples; ++i) {
    const double seconds = event_seconds(out, [&] {
      back.fork_from(out);
      for (int k = 0; k < peer_copies; ++k) {
        gpu::check(
            cudaMemcpyPeerAsync(pair.there(), pair.second, pair.here(), pair.first, peer_bytes / 2, out),
            "cudaMemcpyPeerAsync");
        gpu::check(cudaMemcpyPeerAsync(pair.here() + peer_bytes / 2, pair.first,
                                       pair.there() + peer_bytes / 2, pair.second, peer_bytes / 2, back),
                   "cudaMemcpyPeerAsync");
      }
      back.join(out);
    });
    if (i > 0) rates.push_back(static_cast<double>(peer_bytes) * peer_copies / seconds);
  }
  return rates;
}

std::vector<double> latencies(const peer_pair& pair) {
  constexpr std::size_t array = std::size_t{1} << 20;
  constexpr std::uint64_t loads = array / line_bytes;
  const on_device here(pair.first);
  make_cycle(pair.there(), array, nullptr);
  const gpu::pinned_memory result(sizeof(chase_result));
  std::vector<double> seconds;
  for (int i = 0; i <= peer_samples; ++i) {
    chase(pair.there(), 0, loads, result.as<chase_result>(), nullptr);
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize of a chase");
    if (i > 0)
      seconds.push_back(static_cast<double>(result.as<chase_result>()->nanoseconds) * 1e-9 / double{loads});
  }
  return seconds;
}

// The row of the first pair, with the medians of all pairs in its series, named "0 -> 1".
rows of_pairs(model::ceiling row, const std::function<std::vector<double>(const peer_pair&)>& measure) {
  const auto pairs = pairs_with_access();
  for (const auto& [from, to] : pairs) {
    const peer_pair pair(from, to, peer_bytes);
    const auto seen = measure(pair);
    row.series.push_back({fmt::format("{} -> {}", from, to), stats::median(seen)});
    if (row.series.size() == 1) row = with_median(std::move(row), seen);
  }
  return {std::move(row)};
}

model::ceiling peer_bandwidth(std::string id, std::string title, std::string variant) {
  return {.id = std::move(id),
          .description = std::move(title),
          .unit = "B/s",
          .variant = std::move(variant),
          .size_bytes = static_cast<double>(peer_bytes)};
}

}  // namespace

void add_peer_probes(probe_list& list, gpu_bench& bench) {
  const auto add = [&](std::string id, std::string title, auto measure) {
    list.push_back({std::move(id), std::move(title), "bounds what GPUs exchange", depth::quick, measure});
  };
  add("cuda.p2p.copy", "from GPU to GPU, by the driver", [](const request&) {
    return of_pairs(peer_bandwidth("cuda.p2p.copy", "cudaMemcpyPeerAsync to another GPU", "copy engine"),
                    rates_of_engine);
  });
  add("cuda.p2p.bidirectional", "between GPUs, both ways at once", [](const request&) {
    return of_pairs(
        peer_bandwidth("cuda.p2p.bidirectional", "copies both ways at once, bytes of both", "copy engines"),
        rates_both_ways);
  });
  for (const bool reads : {true, false})
    add(reads ? "cuda.p2p.read" : "cuda.p2p.write",
        reads ? "another GPU's memory, read by a kernel" : "another GPU's memory, written by a kernel",
        [&bench, reads](const request&) {
          return of_pairs(
              peer_bandwidth(
                  reads ? "cuda.p2p.read" : "cuda.p2p.write",
                  reads ? "a kernel that copies from another GPU" : "a kernel that copies to another GPU",
                  "kernel"),
              [&](const peer_pair& pair) { return rates_of_kernel(pair, reads, bench.processors()); });
        });
  add("cuda.latency.peer", "another GPU's memory, latency", [](const request&) {
    return of_pairs({.id = "cuda.latency.peer",
                     .description = "dependent load of a pointer, in another GPU's memory",
                     .unit = "s",
                     .variant = "kernel"},
                    latencies);
  });
}

}  // namespace ridge::backends::probe_cuda
