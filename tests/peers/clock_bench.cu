// SPDX-License-Identifier: Apache-2.0
#include "clock_bench.cuh"

#include <algorithm>
#include <chrono>

#include <ridge/gpu/check.hpp>

namespace ridge::peers {
namespace {

constexpr double us = 1e-6;

}  // namespace

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

clock_bench::clock_bench() {
  for (const double wanted : {5 * us, 20 * us, 100 * us, 500 * us, 5000 * us}) {
    for (const auto by : {limit::memory, limit::compute}) kernels_.push_back({by, wanted, 1 << 12});
  }
  void* made = nullptr;
  gpu::check(cudaMalloc(&made, (kernels_.size() + 1) * sizeof(stamps)), "cudaMalloc of stamps");
  stamps_ = static_cast<stamps*>(made);
  gpu::check(cudaMemset(made, 0, (kernels_.size() + 1) * sizeof(stamps)), "cudaMemset of stamps");
  pairs_ = std::vector<event_pair>(kernels_.size() + 2);
  for (auto& kernel : kernels_) size(kernel);
}

void clock_bench::make_graphs(std::size_t of_kernels) {
  graphs_.clear();
  for (const int length : {graph_nodes, 2 * graph_nodes}) {
    graphs_.emplace_back([&, length](cudaStream_t stream) {
      for (int i = 0; i < length; ++i) launcher_.launch_empty(stream);
    });
  }
  for (std::size_t k = 0; k < of_kernels; ++k) {
    graphs_.emplace_back([&, k](cudaStream_t stream) {
      for (int i = 0; i < graph_nodes; ++i) launcher_.launch(kernels_[k], spare(), stream);
    });
  }
  for (const auto& graph : graphs_) graph.upload(stream_);
  for (const auto& graph : graphs_) graph.launch(stream_);
  stream_.synchronize();
}

void clock_bench::warm(double seconds) {
  for (const double end = host_seconds() + seconds; host_seconds() < end;) {
    for (const auto& kernel : kernels_) launcher_.launch(kernel, spare(), stream_);
    stream_.synchronize();
  }
}

void clock_bench::kernels_block(clock_readings& readings) {
  const double wall_s = block([&] {
    for (std::size_t k = 0; k <= kernels_.size(); ++k) {
      reset(k);
      pairs_[k].begin.record(stream_);
      if (k < kernels_.size()) launcher_.launch(kernels_[k], stamps_ + k, stream_);
      pairs_[k].end.record(stream_);
    }
    pairs_.back().begin.record(stream_);
    launcher_.launch_empty(stream_);
    pairs_.back().end.record(stream_);
  });
  std::vector<stamps> seen(kernels_.size());
  gpu::check(cudaMemcpy(seen.data(), stamps_, seen.size() * sizeof(stamps), cudaMemcpyDefault),
             "cudaMemcpy of stamps");
  readings.event_s.resize(kernels_.size());
  readings.global_s.resize(kernels_.size());
  double sum_s = 0;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    readings.event_s[k].push_back(pairs_[k].seconds());
    readings.global_s[k].push_back(seen[k].seconds());
    sum_s += pairs_[k].seconds();
  }
  readings.empty_s.push_back(pairs_[kernels_.size()].seconds());
  readings.around_empty_s.push_back(pairs_.back().seconds());
  readings.least_idle_s = std::min(readings.least_idle_s, wall_s - sum_s);
}

void clock_bench::graphs_block(clock_readings& readings) {
  block([&] {
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      reset(kernels_.size());
      pairs_[g].begin.record(stream_);
      graphs_[g].launch(stream_);
      pairs_[g].end.record(stream_);
    }
  });
  readings.graph_s.resize(graphs_.size());
  for (std::size_t g = 0; g < graphs_.size(); ++g) readings.graph_s[g].push_back(pairs_[g].seconds());
}

void clock_bench::reset(std::size_t k) {
  gpu::check(cudaMemsetAsync(stamps_ + k, 0, sizeof(stamps), stream_), "cudaMemsetAsync");
}

double clock_bench::block(const std::function<void()>& enqueue) {
  stop_.hold(stream_);
  enqueue();
  const double start = host_seconds();
  stop_.release();
  stream_.synchronize();
  return host_seconds() - start;
}

void clock_bench::size(sized_kernel& kernel) {
  auto& around = pairs_.front();
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto launch = [&] {
      around.begin.record(stream_);
      launcher_.launch(kernel, spare(), stream_);
      around.end.record(stream_);
    };
    if (attempt == 0) {
      launch();  // not behind the stop: a kernel is loaded by its first launch, which waits for the device
      stream_.synchronize();
    } else {
      block(launch);
    }
    const double taken = std::max(around.seconds() - 2 * us, 0.5 * us);
    const double factor = std::clamp(kernel.wanted_s / taken, 0.1, 20.0);
    kernel.amount =
        std::max<std::uint64_t>(16, static_cast<std::uint64_t>(static_cast<double>(kernel.amount) * factor));
  }
}

}  // namespace ridge::peers
