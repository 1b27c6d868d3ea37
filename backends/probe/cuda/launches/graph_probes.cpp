// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/graph.hpp>
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

constexpr int nodes = 1000, chain = 50, graph_samples = 15;
constexpr std::size_t small = 16384;  // floats: 64 blocks

void enqueue_empty(cudaStream_t stream, int count) {
  for (int i = 0; i < count; ++i) launch_empty(stream);
}

model::ceiling time_of_a_node(const gpu::side_stream& stream) {
  const gpu::graph all([](cudaStream_t recorded) { enqueue_empty(recorded, nodes); });
  auto seconds = seconds_of(graph_samples, true, stream, [&] { all.launch(stream); });
  for (auto& s : seconds) s /= nodes;
  return with_median({.id = "cuda.graph.node",
                      .description = "an empty kernel in a graph of a thousand, one after the other",
                      .unit = "s",
                      .variant = "events"},
                     std::move(seconds));
}

rows graphs(const request&) {
  gpu::side_stream stream;
  const gpu::graph fifty([](cudaStream_t recorded) { enqueue_empty(recorded, chain); });
  const auto settle = [&] { stream.synchronize(); };
  return {
      time_of_a_node(stream),
      host_timed({"cuda.graph.launch", "putting a graph of 50 kernels on a stream", 5,
                  [&] { fifty.launch(stream); }, settle}),
      host_timed({"cuda.graph.instantiate", "recording 50 kernels and making them a graph to launch", 1, [&] {
                    const gpu::graph made([](cudaStream_t recorded) { enqueue_empty(recorded, chain); });
                  }})};
}

class steps {
 public:
  steps() { clear(); }
  void enqueue(cudaStream_t stream) const {
    for (int i = 0; i < chain; ++i) launch_step(x_.as<float>(), small, stream);
  }
  void clear() const {
    gpu::check(cudaMemset(x_.as<float>(), 0, small * sizeof(float)), "cudaMemset of the chain's array");
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize before a chain");
  }
  void verify() const {
    std::array<float, small> seen{};
    gpu::check(cudaMemcpy(seen.data(), x_.as<float>(), sizeof seen, cudaMemcpyDeviceToHost),
               "cudaMemcpy of a chain");
    for (const float x : seen)
      if (x != static_cast<float>(chain))
        throw failure({"a graph did not run each of its kernels once", "update the driver"});
  }

 private:
  gpu::device_memory x_{small * sizeof(float)};
};

rows chain_speedup(const request&) {
  gpu::side_stream stream;
  const steps work;
  const gpu::graph whole([&](cudaStream_t recorded) { work.enqueue(recorded); });
  whole.launch(stream);
  stream.synchronize();
  work.verify();
  auto launched =
      host_timed({"cuda.launch.chain", "50 small kernels launched one by one, and waited for", 1, [&] {
                    work.enqueue(stream);
                    stream.synchronize();
                  }});
  auto graph = host_timed({"cuda.graph.chain", "the same 50 kernels as a graph, and waited for", 1, [&] {
                             whole.launch(stream);
                             stream.synchronize();
                           }});
  graph.note = fmt::format("{:.2f} times as fast as launched one by one", launched.value / graph.value);
  launched.id = "cuda.graph.speedup.launches";
  graph.id = "cuda.graph.speedup";
  graph.series = {{"launched", launched.value}, {"graph", graph.value}};
  return {std::move(graph), std::move(launched)};
}

}  // namespace

void add_graph_probes(probe_list& list, gpu_bench&) {
  list.push_back({"cuda.graph", "graphs", "what a kernel in a graph costs", depth::quick, graphs});
  list.push_back({"cuda.graph.speedup", "a chain of kernels as a graph",
                  "what a graph gains for steps of small kernels", depth::quick, chain_speedup});
}

}  // namespace ridge::backends::probe_cuda
