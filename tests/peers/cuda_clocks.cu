// SPDX-License-Identifier: Apache-2.0
// Checks whether the clocks of a GPU agree: pairs of events minus the reading of a pair around an empty
// kernel in the same block (without that kernel's own time; the empty pair is printed beside), %globaltimer
// stamps inside the kernel, the host's clock over the block, and CUPTI's durations in a separate pass. Prints
// medians in microseconds. Exit status: 0 all agree, 1 they do not, 77 there is no GPU, or no CUPTI to
// compare with.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/measure/gpu_tracer.hpp>

#include "clock_bench.cuh"

#if RIDGE_WITH_CUPTI
namespace ridge::backends::measure_cupti {
std::unique_ptr<measure::gpu_tracer> make();
}  // namespace ridge::backends::measure_cupti
#endif

namespace {

using ridge::gpu::check;
using ridge::peers::clock_bench;
using ridge::peers::clock_readings;
using ridge::peers::graph_nodes;
using ridge::peers::host_seconds;
using ridge::peers::limit;

constexpr double us = 1e-6;
constexpr int plain_rounds = 100, traced_rounds = 40, least_rounds = 5;
constexpr double phase_at_most_s = 3;
constexpr std::size_t empty_graphs = 2;
// Kernels shorter than this are measured in graphs, because a pair of events around a single one reads up to
// 0.8 us too long.
constexpr double read_in_graphs_s = 21 * us;
constexpr const char* empty_kernel_name = "nothing";

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

const char* name(limit kind) { return kind == limit::memory ? "memory" : "compute"; }
const char* kernel_name(limit kind) { return kind == limit::memory ? "copy_passes" : "multiply_add"; }

bool agree(double a, double b, double at_least_s) {  // within 1 %, or so many seconds
  return std::abs(a - b) <= std::max(at_least_s, 0.01 * std::abs(b));
}

// Runs the rounds of a phase, as many as its time allows; returns their number.
int rounds(int wanted, const std::function<void()>& round) {
  const double end = host_seconds() + phase_at_most_s;
  int done = 0;
  while (done < wanted && (done < least_rounds || host_seconds() < end)) {
    round();
    ++done;
  }
  return done;
}

// CUPTI's durations by kernel and by graph.
struct durations {
  std::vector<std::vector<double>> kernel_s{}, node_s{};
  std::string missing{};  // why there are no durations
};

// Sorts kernels, which come round after round in the order of their launches.
std::string sort_kernels(const clock_bench& b, const ridge::measure::gpu_trace& trace, durations& found) {
  std::size_t next = 0;
  for (const auto& a : trace.activities) {
    if (a.kind != ridge::measure::gpu_activity_kind::kernel || a.graph != 0) continue;
    if (a.name == "wait_for" || a.name == empty_kernel_name) continue;
    const auto k = next++ % b.kernels().size();
    if (a.name != kernel_name(b.kernels()[k].limiter)) return "CUPTI lists " + a.name + " out of order";
    found.kernel_s[k].push_back(a.seconds());
  }
  return next % b.kernels().size() == 0 && next > 0 ? "" : "CUPTI saw " + std::to_string(next) + " kernels";
}

std::string sort_nodes(const clock_bench& b, const ridge::measure::gpu_trace& trace, durations& found) {
  std::size_t graph = 0, node = 0;
  for (const auto& a : trace.activities) {
    if (a.kind != ridge::measure::gpu_activity_kind::kernel || a.name == "wait_for") continue;
    found.node_s[graph].push_back(a.seconds());
    if (++node < b.nodes(graph)) continue;
    node = 0;
    graph = (graph + 1) % b.graphs();
  }
  return !found.node_s[0].empty() && graph == 0 && node == 0 ? "" : "CUPTI saw a graph's nodes in part";
}

durations trace_all(clock_bench& b, std::size_t graphs, clock_readings& seen) {
  durations all{.kernel_s = std::vector<std::vector<double>>(b.kernels().size()),
                .node_s = std::vector<std::vector<double>>(graphs + empty_graphs)};
#if RIDGE_WITH_CUPTI
  const auto tracer = ridge::backends::measure_cupti::make();
  all.missing = tracer->unavailable_because();
  if (!all.missing.empty()) return all;
  b.make_graphs(graphs);
  clock_readings first;
  b.kernels_block(first);  // CUPTI allocates its buffers at the first work that it sees
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

// The overheads in the reading of a pair of events around a kernel, and around a graph of kernels.
struct overheads {
  explicit overheads(const clock_readings& seen)
      : empty_pair_s(median(seen.empty_s)),
        node_s((median(seen.graph_s[1]) - median(seen.graph_s[0])) / graph_nodes),
        pair_s(median(seen.around_empty_s) - node_s),
        graph_s(median(seen.graph_s[0]) - graph_nodes * node_s) {}
  double empty_pair_s;
  double node_s;   // one empty kernel in a graph
  double pair_s;   // a pair around an empty kernel, minus node_s
  double graph_s;  // a pair around a graph, minus its nodes
};

bool print_kernels(const clock_bench& b, const clock_readings& plain, const overheads& over,
                   const durations& cupti) {
  bool all = true;
  std::printf(
      "events and CUPTI within 1 %% or 0.3 us; kernels under %.0f us, which are measured in graphs, 1 us\n",
      read_in_graphs_s / us);
  std::printf("empty pair %.3f; a pair reads %.3f more than the kernel in it\n", over.empty_pair_s / us,
              over.pair_s / us);
  std::printf("%-8s %6s | %9s %9s %9s | %9s %7s %7s %4s | %9s %7s %4s\n", "kernel", "wanted", "events",
              "-empty", "-pair", "CUPTI", "-empty", "-pair", "ok", "%globalt", "diff", "ok");
  for (std::size_t k = 0; k < b.kernels().size(); ++k) {
    const double raw_s = median(plain.event_s[k]), global_s = median(plain.global_s[k]);
    const double less_empty_s = raw_s - over.empty_pair_s, event_s = raw_s - over.pair_s;
    const double cupti_s = median(cupti.kernel_s[k]);
    const bool global_ok = agree(global_s, event_s, 2 * us);
    const bool is_short = cupti_s < read_in_graphs_s;
    const bool cupti_ok = agree(event_s, cupti_s, is_short ? 1 * us : 0.3 * us);
    std::printf("%-8s %6.0f | %9.3f %9.3f %9.3f | %9.3f %+7.3f %+7.3f %4s | %9.3f %+7.3f %4s\n",
                name(b.kernels()[k].limiter), b.kernels()[k].wanted_s / us, raw_s / us, less_empty_s / us,
                event_s / us, cupti_s / us, (less_empty_s - cupti_s) / us, (event_s - cupti_s) / us,
                said(cupti_ok, cupti.missing.empty()), global_s / us, (global_s - event_s) / us,
                said(global_ok));
    all = all && global_ok && (cupti_ok || !cupti.missing.empty());
  }
  return all;
}

// Nodes overlap: CUPTI's durations of neighbours add up to more than the graph's, so that the gap is
// negative.
bool print_graphs(const clock_bench& b, const clock_readings& plain, const overheads& over,
                  const durations& cupti) {
  bool all = true;
  const double gap_s = over.node_s - median(cupti.node_s[0]);
  std::printf("graphs of %d nodes; an empty node %.3f, by CUPTI %.3f: gap %+.3f\n", graph_nodes,
              over.node_s / us, median(cupti.node_s[0]) / us, gap_s / us);
  std::printf("%-8s %6s | %9s %9s | %9s %7s %4s\n", "kernel", "wanted", "t/G", "less gap", "CUPTI", "diff",
              "ok");
  for (std::size_t g = empty_graphs; g < plain.graph_s.size(); ++g) {
    const auto& kernel = b.kernels()[g - empty_graphs];
    const double node_s = (median(plain.graph_s[g]) - over.graph_s) / graph_nodes;
    const double cupti_s = median(cupti.node_s[g]);
    const bool ok = agree(node_s - gap_s, cupti_s, 0.3 * us);
    std::printf("%-8s %6.0f | %9.3f %9.3f | %9.3f %+7.3f %4s\n", name(kernel.limiter), kernel.wanted_s / us,
                node_s / us, (node_s - gap_s) / us, cupti_s / us, (node_s - gap_s - cupti_s) / us,
                said(ok, cupti.missing.empty()));
    all = all && (ok || !cupti.missing.empty());
  }
  return all;
}

int compare_clocks() {
  const double start = host_seconds();
  cudaDeviceProp gpu{};
  check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  constexpr std::size_t in_graphs = 4;  // the kernels of 5 and 20 us
  clock_bench b;
  b.make_graphs(in_graphs);
  b.warm(0.3);
  clock_readings plain, traced;
  const int done = rounds(plain_rounds, [&] { b.kernels_block(plain); });
  rounds(plain_rounds / 4, [&] { b.graphs_block(plain); });
  std::printf("%s, microseconds, medians of %d blocks\n", gpu.name, done);
  const auto cupti = trace_all(b, in_graphs, traced);
  const bool wall_ok = plain.least_idle_s >= 0;
  // Events and CUPTI are compared on the same launches.
  const auto& seen = cupti.missing.empty() ? traced : plain;
  const overheads over(seen);
  const bool kernels_ok = print_kernels(b, seen, over, cupti);
  const bool graphs_ok = print_graphs(b, seen, over, cupti);
  std::printf("without CUPTI: empty pair %.3f, a pair reads %.3f more, an empty node %.3f\n",
              overheads(plain).empty_pair_s / us, overheads(plain).pair_s / us, overheads(plain).node_s / us);
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
