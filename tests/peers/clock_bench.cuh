// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/gpu/event.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/side_stream.hpp>

#include "clock_kernels.cuh"

namespace ridge::peers {

inline constexpr int graph_nodes = 50;

// The host's steady clock in seconds.
[[nodiscard]] double host_seconds();

// Two events with the work between them.
struct event_pair {
  gpu::event begin{gpu::timing::on}, end{gpu::timing::on};
  [[nodiscard]] double seconds() const { return end.seconds_since(begin); }
};

// The readings of one pass, plain or traced: seconds of each kernel and each graph, of pairs of events around
// nothing and around an empty kernel.
struct clock_readings {
  std::vector<std::vector<double>> event_s{}, global_s{}, graph_s{};
  std::vector<double> empty_s{}, around_empty_s{};
  double least_idle_s = 1;  // the least of any block: host time minus the sum of its events
};

// A stream with kernels of 5 us to 5 ms that are bound by memory or by arithmetic. Its memory is freed when
// the program ends.
class clock_bench {
 public:
  clock_bench();
  [[nodiscard]] const std::vector<sized_kernel>& kernels() const { return kernels_; }
  // Makes two graphs of empty kernels, the second twice as long, and one graph for each of the first
  // `of_kernels` kernels. They are made again for each tracer, which sees only the nodes of graphs made after
  // it.
  void make_graphs(std::size_t of_kernels);
  [[nodiscard]] std::size_t graphs() const { return graphs_.size(); }
  [[nodiscard]] std::size_t nodes(std::size_t graph) const { return graphs_[graph].nodes(); }
  void warm(double seconds);
  // Runs all kernels, or all graphs, once behind a stop, each between its own events, and adds the readings.
  void kernels_block(clock_readings& readings);
  void graphs_block(clock_readings& readings);

 private:
  [[nodiscard]] stamps* spare() const { return stamps_ + kernels_.size(); }
  void reset(std::size_t k);
  // Enqueues work behind a stop; returns the host's seconds from its release to the end of the work.
  double block(const std::function<void()>& enqueue);
  // Finds the amount of work that takes the wanted time; also loads the kernel.
  void size(sized_kernel& kernel);

  gpu::side_stream stream_{};
  stream_stop stop_{};
  kernel_launcher launcher_{};
  std::vector<sized_kernel> kernels_{};
  stamps* stamps_ = nullptr;  // one for each kernel, and a spare one
  std::vector<event_pair> pairs_{};
  std::vector<gpu::graph> graphs_{};
};

}  // namespace ridge::peers
