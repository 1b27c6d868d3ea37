// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/topology.hpp>

#include <algorithm>
#include <string>

#include <ridge/base/text.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/cpu_list.hpp>
#include <ridge/host/text_file.hpp>

#include "system/system_state.hpp"

namespace ridge::host {
namespace {

namespace fs = std::filesystem;

std::vector<int> cpu_list_in(std::string_view text) {
  auto cpus = parse_cpu_list(text);
  return cpus ? *cpus : std::vector<int>{};
}

std::vector<int> allowed_cpus(const fs::path& root) {
  if (root == "/") return affinity();
  const auto status = read_text(root / "proc/self/status").value_or("");
  auto cpus = cpu_list_in(value_after(status, "Cpus_allowed_list"));
  if (cpus.empty()) cpus = cpu_list_in(read_text(root / "sys/devices/system/cpu/online").value_or(""));
  return cpus;
}

std::vector<core> read_cores(const fs::path& root, const std::vector<int>& allowed) {
  std::vector<core> cores;
  for (const int cpu : allowed) {
    const auto folder = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "topology";
    const auto package = static_cast<int>(read_number(folder / "physical_package_id").value_or(0));
    const auto id = static_cast<int>(read_number(folder / "core_id").value_or(cpu));
    // core_id may repeat between dies, so siblings decide where the kernel tells them.
    const auto siblings = cpu_list_in(read_text(folder / "thread_siblings_list").value_or(""));
    const auto mine = std::ranges::find_if(cores, [&](const core& c) {
      const bool sibling = std::ranges::find(siblings, c.cpus.front()) != siblings.end();
      return siblings.empty() ? c.package == package && c.id == id : sibling;
    });
    if (mine != cores.end())
      mine->cpus.push_back(cpu);
    else
      cores.push_back({package, id, {cpu}});
  }
  return cores;
}

std::size_t bytes_after(std::string_view text, std::string_view key) {
  return to_bytes(value_after(text, key)).value_or(0);
}

std::size_t node_memory(const fs::path& folder, int id) {
  const auto text = read_text(folder / "meminfo").value_or("");
  return bytes_after(text, "Node " + std::to_string(id) + " MemTotal");
}

std::vector<int> distances_in(const fs::path& file) {
  std::vector<int> all;
  const auto text = read_text(file).value_or("");
  for (const auto word : split(text, ' ')) {
    if (const auto distance = to_number(word)) all.push_back(static_cast<int>(*distance));
  }
  return all;
}

std::vector<numa_node> read_nodes(const fs::path& root) {
  std::vector<numa_node> nodes;
  const auto base = root / "sys/devices/system/node";
  for (const int id : cpu_list_in(read_text(base / "online").value_or(""))) {
    const auto folder = base / ("node" + std::to_string(id));
    nodes.push_back({id, cpu_list_in(read_text(folder / "cpulist").value_or("")), node_memory(folder, id),
                     distances_in(folder / "distance")});
  }
  return nodes;
}

bool serves(const cpu_cache& cache, const std::vector<int>& cpus) {
  return std::ranges::any_of(cache.cpus, [&](int cpu) { return std::ranges::binary_search(cpus, cpu); });
}

}  // namespace

std::vector<int> topology::one_cpu_per_core() const {
  std::vector<int> cpus;
  for (const auto& c : cores) cpus.push_back(c.cpus.front());
  if (!cpus.empty() && cpus.front() == 0) std::ranges::rotate(cpus, cpus.begin() + 1);
  return cpus;
}

std::size_t topology::cache_bytes(int level) const {
  std::size_t total = 0;
  for (const auto& c : caches) {
    if (c.level == level && c.kind != cache_kind::instruction && serves(c, allowed)) total += c.bytes;
  }
  return total;
}

std::size_t topology::last_level_cache_bytes() const {
  return caches.empty() ? 0 : cache_bytes(caches.back().level);
}

std::size_t topology::usable_memory_bytes() const {
  return std::min(memory_bytes, cgroup.memory_bytes.value_or(memory_bytes));
}

topology read_topology(const fs::path& root) {
  topology t;
  t.allowed = allowed_cpus(root);
  t.cores = read_cores(root, t.allowed);
  t.caches = read_caches(root, t.allowed);
  if (t.caches.empty() && root == "/") t.caches = caches_by_sysconf(t.allowed);
  const auto meminfo = read_text(root / "proc/meminfo").value_or("");
  t.memory_bytes = bytes_after(meminfo, "MemTotal");
  t.available_bytes = bytes_after(meminfo, "MemAvailable");
  t.nodes = read_nodes(root);
  if (t.nodes.empty()) t.nodes.push_back({0, t.allowed, t.memory_bytes, {}});
  t.cgroup = read_cgroup(root);
  t.cpu = parse_cpuinfo(read_text(root / "proc/cpuinfo").value_or(""));
  t.system = read_system_state(root);
  return t;
}

}  // namespace ridge::host
