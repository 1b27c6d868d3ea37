// SPDX-License-Identifier: Apache-2.0
// Whether the clocks of a GPU agree: event pairs less the empty pair of the same block, %globaltimer stamps
// inside the kernel, the host's clock over the block, and CUPTI's durations in a pass of their own. Prints
// medians in microseconds. Exit: 0 all agree, 1 not, 77 there is no GPU, or no CUPTI to hold them against.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/measure/gpu_tracer.hpp>

#include "clock_kernels.cuh"

#if RIDGE_WITH_CUPTI
namespace ridge::backends::measure_cupti {
std::unique_ptr<measure::gpu_tracer> make();
}  // namespace ridge::backends::measure_cupti
#endif

namespace {

using namespace ridge::peers;
using ridge::gpu::check;
using ridge::gpu::event;

constexpr double us = 1e-6;
constexpr int nodes = 50;  // of a graph
constexpr int plain_rounds = 100, traced_rounds = 40, least_rounds = 5;
constexpr double phase_at_most_s = 3;

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

const char* name(limit by) { return by == limit::memory ? "memory" : "compute"; }
const char* kernel_name(limit by) { return by == limit::memory ? "copy_passes" : "multiply_add"; }

bool agree(double a, double b, double at_least_s) {  // within 1 %, or so many seconds
  return std::abs(a - b) <= std::max(at_least_s, 0.01 * std::abs(b));
}

struct pair {
  event from{ridge::gpu::timing::on}, to{ridge::gpu::timing::on};
  [[nodiscard]] double seconds() const { return to.seconds_since(from); }
};

// What one pass, plain or traced, saw of each kernel, of each graph, and of the pairs around nothing.
struct readings {
  std::vector<std::vector<double>> event_s{}, global_s{}, graph_s{};
  std::vector<double> empty_s{};
  double least_idle_s = 1;  // of a block: host's clock less the sum of its events
};

// One stream with the kernels under test; the program's end frees it.
class bench {
 public:
  bench() {
    for (const double wanted : {5 * us, 20 * us, 100 * us, 500 * us, 5000 * us}) {
      for (const auto by : {limit::memory, limit::compute}) kernels_.push_back({by, wanted, 1 << 12});
    }
    void* made = nullptr;
    check(cudaMalloc(&made, (kernels_.size() + 1) * sizeof(stamps)), "cudaMalloc of stamps");
    stamps_ = static_cast<stamps*>(made);
    check(cudaMemset(made, 0, (kernels_.size() + 1) * sizeof(stamps)), "cudaMemset of stamps");
    pairs_ = std::vector<pair>(kernels_.size() + 1);
    for (auto& kernel : kernels_) size(kernel);
  }

  [[nodiscard]] const std::vector<sized_kernel>& kernels() const { return kernels_; }
  // Graphs of the first so many kernels, and before them one of nothing; made anew, since a tracer sees the
  // nodes only of graphs made after it.
  void make_graphs(std::size_t of_kernels) {
    graphs_.clear();
    graphs_.emplace_back([&](cudaStream_t on) {
      for (int i = 0; i < nodes; ++i) launcher_.launch_empty(on);
    });
    for (std::size_t k = 0; k < of_kernels; ++k) {
      graphs_.emplace_back([&, k](cudaStream_t on) {
        for (int i = 0; i < nodes; ++i) launcher_.launch(kernels_[k], spare(), on);
      });
    }
    for (const auto& graph : graphs_) graph.upload(stream_);
    for (const auto& graph : graphs_) graph.launch(stream_);
    stream_.synchronize();
  }
  [[nodiscard]] std::size_t graphs() const { return graphs_.size(); }

  void warm(double seconds) {
    for (const double end = host_seconds() + seconds; host_seconds() < end;) {
      for (const auto& kernel : kernels_) launcher_.launch(kernel, spare(), stream_);
      stream_.synchronize();
    }
  }

  // Everything once behind a stop, each between events of its own.
  void kernels_block(readings& to) {
    const double wall_s = block([&] {
      for (std::size_t k = 0; k <= kernels_.size(); ++k) {
        reset(k);
        pairs_[k].from.record(stream_);
        if (k < kernels_.size()) launcher_.launch(kernels_[k], stamps_ + k, stream_);
        pairs_[k].to.record(stream_);
      }
    });
    std::vector<stamps> seen(kernels_.size());
    check(cudaMemcpy(seen.data(), stamps_, seen.size() * sizeof(stamps), cudaMemcpyDefault),
          "cudaMemcpy of stamps");
    to.event_s.resize(kernels_.size());
    to.global_s.resize(kernels_.size());
    double sum_s = 0;
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      to.event_s[k].push_back(pairs_[k].seconds());
      to.global_s[k].push_back(seen[k].seconds());
      sum_s += pairs_[k].seconds();
    }
    to.empty_s.push_back(pairs_.back().seconds());
    to.least_idle_s = std::min(to.least_idle_s, wall_s - sum_s);
  }

  void graphs_block(readings& to) {
    block([&] {
      for (std::size_t g = 0; g < graphs_.size(); ++g) {
        reset(kernels_.size());
        pairs_[g].from.record(stream_);
        graphs_[g].launch(stream_);
        pairs_[g].to.record(stream_);
      }
    });
    to.graph_s.resize(graphs_.size());
    for (std::size_t g = 0; g < graphs_.size(); ++g) to.graph_s[g].push_back(pairs_[g].seconds());
  }

 private:
  [[nodiscard]] stamps* spare() const { return stamps_ + kernels_.size(); }
  void reset(std::size_t k) {
    check(cudaMemsetAsync(stamps_ + k, 0, sizeof(stamps), stream_), "cudaMemsetAsync");
  }

  // The host's seconds from the release to the end.
  double block(const std::function<void()>& enqueue) {
    stop_.hold(stream_);
    enqueue();
    const double start = host_seconds();
    stop_.release();
    stream_.synchronize();
    return host_seconds() - start;
  }

  // Finds the amount of work that takes the wanted time; also loads the kernel.
  void size(sized_kernel& kernel) {
    auto& around = pairs_.front();
    for (int attempt = 0; attempt < 8; ++attempt) {
      const auto launch = [&] {
        around.from.record(stream_);
        launcher_.launch(kernel, spare(), stream_);
        around.to.record(stream_);
      };
      if (attempt == 0) {
        launch();  // not behind the stop: a kernel is loaded by its first launch, which waits for the device
        stream_.synchronize();
      } else {
        block(launch);
      }
      const double taken = std::max(around.seconds() - 2 * us, 0.5 * us);
      const double factor = std::clamp(kernel.wanted_s / taken, 0.1, 20.0);
      kernel.amount = std::max<std::uint64_t>(
          256, static_cast<std::uint64_t>(static_cast<double>(kernel.amount) * factor));
    }
  }

  ridge::gpu::side_stream stream_{};
  stream_stop stop_{};
  kernel_launcher launcher_{};
  std::vector<sized_kernel> kernels_{};
  stamps* stamps_ = nullptr;  // one of each kernel, and a spare
  std::vector<pair> pairs_{};
  std::vector<ridge::gpu::graph> graphs_{};
};

// The rounds of a phase, as many as its time allows.
int rounds(int wanted, const std::function<void()>& one) {
  const double end = host_seconds() + phase_at_most_s;
  int done = 0;
  while (done < wanted && (done < least_rounds || host_seconds() < end)) {
    one();
    ++done;
  }
  return done;
}

// CUPTI's durations by kernel and by graph.
struct durations {
  std::vector<std::vector<double>> kernel_s{}, node_s{};
  std::string missing{};  // why there are none
};

// Kernels come round after round in the order they were launched in.
std::string sort_kernels(const bench& b, const ridge::measure::gpu_trace& trace, durations& to) {
  std::size_t next = 0;
  for (const auto& a : trace.activities) {
    if (a.kind != ridge::measure::gpu_activity_kind::kernel || a.graph != 0 || a.name == "wait_for") continue;
    const auto k = next++ % b.kernels().size();
    if (a.name != kernel_name(b.kernels()[k].by)) return "CUPTI lists " + a.name + " out of order";
    to.kernel_s[k].push_back(a.seconds());
  }
  return next % b.kernels().size() == 0 && next > 0 ? "" : "CUPTI saw " + std::to_string(next) + " kernels";
}

std::string sort_nodes(const bench& b, const ridge::measure::gpu_trace& trace, durations& to) {
  std::size_t next = 0;
  for (const auto& a : trace.activities) {
    if (a.kind != ridge::measure::gpu_activity_kind::kernel || a.name == "wait_for") continue;
    to.node_s[next++ / nodes % b.graphs()].push_back(a.seconds());
  }
  return next > 0 && next % (b.graphs() * nodes) == 0
             ? ""
             : "CUPTI saw " + std::to_string(next) + " nodes of graphs";
}

durations trace_all(bench& b, std::size_t graphs, readings& seen) {
  durations all{.kernel_s = std::vector<std::vector<double>>(b.kernels().size()),
                .node_s = std::vector<std::vector<double>>(graphs + 1)};
#if RIDGE_WITH_CUPTI
  const auto tracer = ridge::backends::measure_cupti::make();
  all.missing = tracer->unavailable_because();
  if (!all.missing.empty()) return all;
  b.make_graphs(graphs);
  readings first;
  b.kernels_block(first);  // CUPTI takes its buffers at the first work it sees
  tracer->start();
  rounds(traced_rounds, [&] { b.kernels_block(seen); });
  auto trace = tracer->stop();
  std::printf("CUPTI: %zu activities, %llu dropped\n", trace.activities.size(),
              static_cast<unsigned long long>(trace.dropped));
  all.missing = sort_kernels(b, trace, all);
  tracer->start();
  rounds(traced_rounds / 4, [&] { b.graphs_block(seen); });
  trace = tracer->stop();
  if (all.missing.empty()) all.missing = sort_nodes(b, trace, all);
#else
  all.missing = "this build has no CUPTI";
#endif
  return all;
}

const char* said(bool holds, bool known = true) { return !known ? "-" : holds ? "yes" : "NO"; }

bool print_kernels(const bench& b, const readings& plain, const readings& traced, const durations& cupti) {
  bool all = true;
  const double empty = median(plain.empty_s), traced_empty = median(traced.empty_s);
  std::printf("empty event pair %.3f, under CUPTI %.3f\n", empty / us, traced_empty / us);
  std::printf("%-8s %6s | %9s %9s %7s %4s | %9s %7s %4s | %9s %7s\n", "kernel", "wanted", "event", "%globalt",
              "diff", "ok", "CUPTI", "diff", "ok", "traced ev", "diff");
  for (std::size_t k = 0; k < b.kernels().size(); ++k) {
    const double event_s = median(plain.event_s[k]) - empty, global_s = median(plain.global_s[k]);
    const double cupti_s = median(cupti.kernel_s[k]);
    const bool global_ok = agree(global_s, event_s, 2 * us);
    const bool cupti_ok = agree(event_s, cupti_s, 0.3 * us);
    const double same_s = traced.event_s.empty() ? std::nan("") : median(traced.event_s[k]) - traced_empty;
    std::printf("%-8s %6.0f | %9.3f %9.3f %+7.3f %4s | %9.3f %+7.3f %4s | %9.3f %+7.3f\n",
                name(b.kernels()[k].by), b.kernels()[k].wanted_s / us, event_s / us, global_s / us,
                (global_s - event_s) / us, said(global_ok), cupti_s / us, (event_s - cupti_s) / us,
                said(cupti_ok, cupti.missing.empty()), same_s / us, (same_s - cupti_s) / us);
    all = all && global_ok && (cupti_ok || !cupti.missing.empty());
  }
  return all;
}

bool print_graphs(const bench& b, const readings& plain, const durations& cupti) {
  bool all = true;
  const double empty = median(plain.empty_s), gap = (median(plain.graph_s[0]) - empty) / nodes;
  std::printf("graphs of %d nodes; node gap (empty kernel) %.3f, CUPTI's empty kernel %.3f\n", nodes,
              gap / us, median(cupti.node_s[0]) / us);
  std::printf("%-8s %6s | %9s %9s | %9s %7s %4s\n", "kernel", "wanted", "t/G", "less gap", "CUPTI", "diff",
              "ok");
  for (std::size_t g = 1; g < plain.graph_s.size(); ++g) {
    const double node_s = (median(plain.graph_s[g]) - empty) / nodes, cupti_s = median(cupti.node_s[g]);
    const bool ok = agree(node_s - gap, cupti_s, 0.3 * us);
    std::printf("%-8s %6.0f | %9.3f %9.3f | %9.3f %+7.3f %4s\n", name(b.kernels()[g - 1].by),
                b.kernels()[g - 1].wanted_s / us, node_s / us, (node_s - gap) / us, cupti_s / us,
                (node_s - gap - cupti_s) / us, said(ok, cupti.missing.empty()));
    all = all && (ok || !cupti.missing.empty());
  }
  return all;
}

int compare_clocks() {
  const double start = host_seconds();
  cudaDeviceProp gpu{};
  check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  constexpr std::size_t in_graphs = 4;  // the kernels of 5 and 20 us
  bench b;
  b.make_graphs(in_graphs);
  b.warm(0.3);
  readings plain, traced;
  const int done = rounds(plain_rounds, [&] { b.kernels_block(plain); });
  rounds(plain_rounds / 4, [&] { b.graphs_block(plain); });
  std::printf("%s, microseconds, medians of %d blocks\n", gpu.name, done);
  const auto cupti = trace_all(b, in_graphs, traced);
  const bool wall_ok = plain.least_idle_s >= 0;
  const bool kernels_ok = print_kernels(b, plain, traced, cupti);
  const bool graphs_ok = print_graphs(b, plain, cupti);
  std::printf("host's clock over a block less the sum of its events: at least %+.1f us: %s\n",
              plain.least_idle_s / us, said(wall_ok));
  if (!cupti.missing.empty()) std::printf("not held against CUPTI: %s\n", cupti.missing.c_str());
  const bool all = wall_ok && kernels_ok && graphs_ok;
  std::printf("%s; took %.1f s\n", all ? "the clocks agree" : "the clocks DISAGREE", host_seconds() - start);
  return !all ? 1 : cupti.missing.empty() ? 0 : 77;
}

}  // namespace

int main() {
  try {
    return compare_clocks();
  } catch (const ridge::unavailable& missing) {
    std::fprintf(stderr, "cuda_clocks: %s\n", missing.why().text().c_str());
    return 77;
  } catch (const ridge::failure& failed) {
    std::fprintf(stderr, "cuda_clocks: %s\n", failed.why().text().c_str());
    return 1;
  }
}
