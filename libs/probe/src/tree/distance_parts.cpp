// SPDX-License-Identifier: Apache-2.0
#include "tree/distance_parts.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/cpu_list.hpp>
#include <ridge/probe/pci_distance.hpp>

namespace ridge::probe {
namespace {

using model::machine_node;

std::ptrdiff_t links_to(const gpu_facts& a, const gpu_facts& b) {
  return std::ranges::count_if(
      a.links, [&](const nvlink& l) { return l.end == nvlink_end::gpu && l.address == b.address; });
}

std::ptrdiff_t links_to_switches(const gpu_facts& a) {
  return std::ranges::count(a.links, nvlink_end::nvswitch, &nvlink::end);
}

// Returns the number of NVLinks between two GPUs, direct ones or those through switches that both reach.
std::ptrdiff_t links_between(const gpu_facts& a, const gpu_facts& b) {
  const auto direct = links_to(a, b);
  return direct > 0 ? direct : std::min(links_to_switches(a), links_to_switches(b));
}

const host::pci_device* device_at(const machine_facts& machine, const std::string& address) {
  const auto at = std::ranges::find(machine.pci, address, &host::pci_device::address);
  return at == machine.pci.end() ? nullptr : &*at;
}

std::string pci_words(const machine_facts& machine, const std::string& a, const std::string& b) {
  const auto *one = device_at(machine, a), *other = device_at(machine, b);
  return one == nullptr || other == nullptr ? "?" : std::string(name(distance_between(*one, *other)));
}

std::string gpu_distance(const machine_facts& machine, const gpu_facts& a, const gpu_facts& b) {
  if (a.index == b.index) return "X";
  const auto links = links_between(a, b);
  return links > 0 ? fmt::format("NV{}", links) : pci_words(machine, a.address, b.address);
}

std::string peers_words(const std::vector<gpu_facts>& gpus, const gpu_facts& gpu) {
  if (gpu.peers.empty()) return "none";
  if (gpu.peers.size() + 1 == gpus.size()) return "all";
  return host::format_cpu_list(gpu.peers);
}

// Explains the words that stand in the matrix.
void explain(machine_node& matrix) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> words{
      {{"NV", "NVLinks"},
       {"PIX", "one switch"},
       {"PXB", "several switches"},
       {"PHB", "host bridge"},
       {"NODE", "across a NUMA node"},
       {"SYS", "between NUMA nodes"}}};
  std::vector<std::string> used;
  for (const auto& [word, meaning] : words) {
    const auto is_in = [&](const machine_node& row) {
      return std::ranges::any_of(row.facts, [&](const auto& f) { return f.second.text.starts_with(word); });
    };
    if (std::ranges::any_of(matrix.children, is_in)) used.push_back(fmt::format("{} {}", word, meaning));
  }
  matrix.add("by", join(used, ", "));
}

machine_node between_gpus(const machine_facts& machine, const std::vector<gpu_facts>& gpus) {
  machine_node matrix{.kind = "matrix", .name = "GPU to GPU"};
  for (const auto& row : gpus) {
    machine_node line{.kind = "matrix_row", .name = fmt::format("GPU {}", row.index)};
    for (const auto& column : gpus)
      line.add(fmt::format("GPU{}", column.index), gpu_distance(machine, row, column));
    line.add("peer access", peers_words(gpus, row));
    matrix.children.push_back(std::move(line));
  }
  explain(matrix);
  return matrix;
}

struct adapter {
  std::string name{}, address{};
};

// Returns the physical network adapters; one that the verbs interface knows has its name there.
std::vector<adapter> adapters_of(const machine_facts& machine) {
  std::vector<adapter> all;
  const auto add = [&](const std::string& name, const std::string& address) {
    if (!address.empty() && std::ranges::find(all, address, &adapter::address) == all.end())
      all.push_back({name, address});
  };
  for (const auto& one : machine.rdma) add(one.name, one.pci_address);
  for (const auto& one : machine.network) add(one.name, one.pci_address);
  return all;
}

machine_node to_network(const machine_facts& machine, const std::vector<gpu_facts>& gpus,
                        const std::vector<adapter>& adapters) {
  machine_node matrix{.kind = "matrix", .name = "GPU to network"};
  for (const auto& row : gpus) {
    machine_node line{.kind = "matrix_row", .name = fmt::format("GPU {}", row.index)};
    for (const auto& column : adapters)
      line.add(column.name, pci_words(machine, row.address, column.address));
    matrix.children.push_back(std::move(line));
  }
  explain(matrix);
  return matrix;
}

}  // namespace

std::vector<machine_node> distance_parts(const machine_facts& machine) {
  std::vector<machine_node> parts;
  if (!machine.gpus) return parts;
  const auto& gpus = machine.gpus.value().gpus;
  if (gpus.size() > 1) parts.push_back(between_gpus(machine, gpus));
  const auto adapters = adapters_of(machine);
  if (!gpus.empty() && !adapters.empty()) parts.push_back(to_network(machine, gpus, adapters));
  return parts;
}

}  // namespace ridge::probe
