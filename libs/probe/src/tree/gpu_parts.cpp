// SPDX-License-Identifier: Apache-2.0
#include "tree/gpu_parts.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/host/cpu_list.hpp>

#include "tree/amounts.hpp"

namespace ridge::probe {
namespace {

using model::machine_node;

void add_sizes(machine_node& part, const gpu_capability& c) {
  part.add("compute capability", fmt::format("{}.{}", c.major, c.minor));
  add_count(part, "SMs", c.processors);
  add_clock(part, "SM clock at most", c.sm_clock_hz);
  add_bytes(part, "memory", c.memory_bytes);
  add_count(part, "bus bits", c.memory_bus_bits);
  add_clock(part, "memory clock", c.memory_clock_hz);
  add_rate(part, "by bus and clock", 2 * c.memory_clock_hz * c.memory_bus_bits / 8);
  add_bytes(part, "L2", c.l2_bytes);
  add_bytes(part, "persisting at most", c.persisting_l2_bytes);
}

machine_node processor_part(const gpu_capability& c) {
  machine_node part{.kind = "gpu_processor", .name = "an SM"};
  add_bytes(part, "shared memory", c.shared_per_processor_bytes);
  add_count(part, "registers", c.registers_per_processor);
  add_count(part, "threads", c.threads_per_processor);
  add_count(part, "blocks", c.blocks_per_processor);
  return part;
}

machine_node block_part(const gpu_capability& c) {
  machine_node part{.kind = "gpu_block", .name = "a block"};
  add_bytes(part, "shared memory", c.shared_per_block_bytes);
  add_bytes(part, "by opt-in", c.shared_per_block_at_most_bytes);
  add_count(part, "registers", c.registers_per_block);
  add_count(part, "threads", c.threads_per_block);
  return part;
}

machine_node abilities_part(const gpu_capability& c) {
  machine_node part{.kind = "gpu_abilities", .name = "abilities"};
  add_count(part, "copy engines", c.copy_engines);
  add_yes_no(part, "cooperative launch", c.cooperative_launch);
  add_yes_no(part, "clusters", c.clusters);
  add_yes_no(part, "memory pools", c.memory_pools);
  add_yes_no(part, "unified addressing", c.unified_addressing);
  add_yes_no(part, "concurrent managed memory", c.managed_memory);
  add_yes_no(part, "pageable memory access", c.pageable_access);
  add_yes_no(part, "host page tables", c.host_page_tables);
  add_yes_no(part, "GPUDirect RDMA", c.gpudirect_rdma);
  add_yes_no(part, "integrated", c.integrated);
  return part;
}

std::string end_words(const std::vector<nvlink>& links) {
  const auto all = [&](nvlink_end end) {
    return std::ranges::all_of(links, [end](const nvlink& l) { return l.end == end; });
  };
  return all(nvlink_end::nvswitch) ? " to NVSwitch" : all(nvlink_end::gpu) ? " to GPUs" : "";
}

void add_links(machine_node& part, const std::vector<nvlink>& links) {
  if (links.empty()) return;
  double total = 0;
  for (const auto& one : links) total += one.bytes_per_s;
  auto words = fmt::format("{}", links.size());
  if (links.front().bytes_per_s > 0)
    words += fmt::format(" × {} = {}", format_quantity(links.front().bytes_per_s, "B/s"),
                         format_quantity(total, "B/s"));
  part.add("NVLinks", words + " each way" + end_words(links), total, "B/s");
  add_count(part, "NVLink generation", links.front().generation);
}

machine_node state_part(const gpu_facts& gpu) {
  machine_node part{.kind = "gpu_state", .name = fmt::format("GPU {}", gpu.index)};
  part.add("address", gpu.address);
  if (gpu.host_node) part.add("node", fmt::format("{}", *gpu.host_node), *gpu.host_node, "1");
  add_links(part, gpu.links);
  part.add("ECC", gpu.ecc ? "on" : "off");
  const auto switched = [&](const char* label, const std::optional<bool>& enabled) {
    if (enabled) part.add(label, *enabled ? "on" : "off");
  };
  switched("persistence", gpu.persistence);
  switched("MIG", gpu.mig);
  part.add("compute mode", gpu.compute_mode);
  part.add("VBIOS", gpu.video_bios);
  part.add("UUID hash", gpu.uuid_hash);
  return part;
}

bool are_alike(const gpu_facts& a, const gpu_facts& b) {
  return a.name == b.name && a.capability == b.capability;
}

// Moves the facts that all parts share into one part.
machine_node shared_part(std::vector<machine_node>& parts) {
  machine_node shared{.kind = "gpu_shared", .name = "each"};
  if (parts.size() < 2) return shared;
  const auto first = parts.front().facts;
  for (const auto& fact : first) {
    const auto has = [&](const machine_node& part) {
      const auto* own = part.fact(fact.first);
      return own != nullptr && *own == fact.second;
    };
    if (!std::ranges::all_of(parts, has)) continue;
    shared.facts.push_back(fact);
    for (auto& part : parts) std::erase(part.facts, fact);
  }
  return shared;
}

// Returns the states of the GPUs like this one; what all have in common comes first.
std::vector<machine_node> state_parts(const std::vector<gpu_facts>& gpus, const gpu_facts& like) {
  std::vector<machine_node> states;
  for (const auto& gpu : gpus) {
    if (are_alike(gpu, like)) states.push_back(state_part(gpu));
  }
  auto shared = shared_part(states);
  if (!shared.facts.empty()) states.insert(states.begin(), std::move(shared));
  return states;
}

}  // namespace

std::vector<machine_node> gpu_parts(const machine_facts& machine) {
  std::vector<machine_node> parts;
  if (!machine.gpus) return parts;
  std::vector<const gpu_facts*> shown;
  const auto& gpus = machine.gpus.value().gpus;
  for (const auto& gpu : gpus) {
    if (std::ranges::any_of(shown, [&](const auto* other) { return are_alike(*other, gpu); })) continue;
    shown.push_back(&gpu);
    machine_node part{.kind = "gpu_model", .name = gpu.name};
    const auto count = std::ranges::count_if(gpus, [&](const auto& g) { return are_alike(g, gpu); });
    add_count(part, "count", static_cast<double>(count));
    add_sizes(part, gpu.capability);
    part.children = {processor_part(gpu.capability), block_part(gpu.capability),
                     abilities_part(gpu.capability)};
    std::ranges::move(state_parts(gpus, gpu), std::back_inserter(part.children));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace ridge::probe
