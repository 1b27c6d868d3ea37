// SPDX-License-Identifier: Apache-2.0
#include "memory/numa_probe.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/host/pages.hpp>

#include "caches/chase.hpp"
#include "memory/memory_kernels.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t bytes = std::size_t{256} << 20;
constexpr double node_time_s = 20e-3;
constexpr std::int64_t loads = 4096;
constexpr std::size_t window_elements = std::size_t{1} << 20;  // elements

// Binds memory to a node by mbind(2) with MPOL_BIND, before the first touch.
void bind(std::span<std::byte> memory, int node) {
  constexpr int bind_to = 2;
  constexpr std::size_t bits = 8 * sizeof(unsigned long);
  std::array<unsigned long, 16> mask{};
  const auto n = static_cast<std::size_t>(node);
  if (n / bits >= mask.size()) throw unavailable(fmt::format("memory node {}", node), "");
  mask[n / bits] = 1ul << n % bits;
  if (syscall(SYS_mbind, memory.data(), memory.size(), bind_to, mask.data(), bits * mask.size(), 0) != 0)
    throw unavailable(fmt::format("memory bound to node {}", node), "containers may forbid mbind");
}

struct pair_rates {
  rate latency, read;
};

pair_rates measured_on_node(const measure::clock& clock, int cpu, int node) {
  host::team alone({cpu});
  sampler on(clock, &alone);
  const host::region memory(bytes, host::huge_page_bytes, host::huge_pages::transparent,
                            host::first_touch::later);
  bind(memory.bytes(), node);
  auto through = chase::over_lines(memory.bytes());
  pair_rates found;
  found.latency = sample_rate(
      clock, [&] { return on.time([&](int, int) { through.run(loads); }); }, loads, node_time_s);
  alignas(64) std::array<float, 16> sums{};
  const auto floats = memory.as<float>();
  std::size_t next = 0;
  const auto step = [&] {
    const auto* from = floats.data() + next++ % (floats.size() / window_elements) * window_elements;
    return on.time([&](int, int) {
      best_memory_kernels().read.back().run(sums.data(), from, nullptr, window_elements, 1);
    });
  };
  found.read = sample_rate(clock, step, window_elements * sizeof(float), node_time_s);
  return found;
}

void put(model::ceiling& row, const rate& found, const std::string& path) {
  const bool time = row.unit == "s";
  const double value = time ? 1 / found.value : found.value;
  row.series.push_back({path, value});
  row.disturbed |= found.disturbed;
  if (row.value != 0 && (time ? value <= row.value : value >= row.value)) return;
  row.value = value;
  row.ci = time ? interval{1 / found.ci.hi, 1 / found.ci.lo} : found.ci;
  row.variant = path;
}

}  // namespace

std::vector<model::ceiling> probe_nodes(const measure::clock& clock, const host::topology& machine) {
  if (machine.nodes.size() < 2) throw unavailable("a second memory node", "this machine has one");
  model::ceiling latency{
      .id = "cpu.numa.latency", .description = "a load from the farthest memory node", .unit = "s"};
  model::ceiling read{
      .id = "cpu.numa.read", .description = "one core reading the farthest memory node", .unit = "B/s"};
  latency.size_bytes = read.size_bytes = static_cast<double>(bytes);
  for (const auto& from : machine.nodes) {
    const auto cpu = std::ranges::find_first_of(from.cpus, machine.allowed);
    if (cpu == from.cpus.end()) continue;
    for (const auto& to : machine.nodes) {
      const auto found = measured_on_node(clock, *cpu, to.id);
      const auto at = fmt::format("{} -> {}", from.id, to.id);
      put(latency, found.latency, at), put(read, found.read, at);
    }
  }
  return {latency, read};
}

}  // namespace ridge::backends::probe_host
