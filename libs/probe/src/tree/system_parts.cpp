// SPDX-License-Identifier: Apache-2.0
#include "tree/system_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/cpu_list.hpp>

#include "tree/amounts.hpp"

namespace ridge::probe {
namespace {

using host::process_limit;
using model::machine_node;

std::string amount_words(std::uint64_t amount, std::string_view unit) {
  if (amount == host::no_limit) return "unlimited";
  return unit == "B" ? bytes_words(static_cast<double>(amount)) : fmt::format("{}", amount);
}

// Adds a limit; an unlimited one gets no number, since JSON has no infinity.
void add_limit(machine_node& part, std::string label, const std::optional<process_limit>& limit,
               std::string unit) {
  if (!limit) return;
  auto words = amount_words(limit->soft, unit);
  if (limit->hard != limit->soft) words += " (at most " + amount_words(limit->hard, unit) + ')';
  if (limit->soft == host::no_limit)
    part.add(std::move(label), std::move(words));
  else
    part.add(std::move(label), std::move(words), static_cast<double>(limit->soft), std::move(unit));
}

machine_node limits_part(const host::process_limits& limits) {
  machine_node part{.kind = "process_limits", .name = "process"};
  add_limit(part, "locked memory", limits.locked_bytes, "B");
  add_limit(part, "open files", limits.open_files, "1");
  add_limit(part, "processes", limits.processes, "1");
  add_limit(part, "stack", limits.stack_bytes, "B");
  add_limit(part, "address space", limits.address_space_bytes, "B");
  add_limit(part, "realtime priority", limits.realtime_priority, "1");
  add_limit(part, "core file", limits.core_bytes, "B");
  return part;
}

machine_node cgroup_part(const host::topology& machine) {
  machine_node part{.kind = "cgroup", .name = "control group"};
  if (machine.cgroup.version > 0)
    part.add("version", fmt::format("{}", machine.cgroup.version), machine.cgroup.version, "1");
  const auto& cpus = machine.cgroup.cpus;
  part.add("allowed CPUs", host::format_cpu_list(machine.allowed),
           static_cast<double>(machine.allowed.size()), "1");
  if (cpus)
    part.add("CPU quota", fmt::format("{:g} CPUs", *cpus), *cpus, "1");
  else
    part.add("CPU quota", "none");
  if (machine.cgroup.memory_bytes)
    add_bytes(part, "memory limit", static_cast<double>(*machine.cgroup.memory_bytes));
  else
    part.add("memory limit", "none");
  return part;
}

machine_node settings_part(const host::system_state& settings) {
  machine_node part{.kind = "settings", .name = "settings"};
  const auto on_off = [](const std::optional<bool>& x) { return !x ? "" : *x ? "on" : "off"; };
  const auto number = [&](const char* label, const std::optional<int>& x) {
    if (x) part.add(label, fmt::format("{}", *x), *x, "1");
  };
  part.add("governor", settings.governor)
      .add("turbo", on_off(settings.turbo))
      .add("SMT", on_off(settings.smt));
  part.add("huge pages", settings.transparent_huge_pages);
  number("address randomization", settings.address_randomization);
  number("perf_event_paranoid", settings.perf_event_paranoid);
  return part;
}

// Removes the name of a library from its version: "OpenBLAS 0.3.21" becomes "0.3.21".
std::string without_name(std::string_view found, std::string_view name) {
  if (!found.starts_with(name)) return std::string(found);
  const auto rest = found.substr(name.size());
  const auto from = rest.find_first_not_of(", ");
  return std::string(from == 0 || from == std::string_view::npos ? found : rest.substr(from));
}

std::string tool_words(const host::tool& tool) {
  return tool.version.empty() ? "does not tell" : tool.version;
}

}  // namespace

machine_node system_part(const machine_facts& machine) {
  const auto& state = machine.topology.system;
  machine_node part{.kind = "system", .name = "system"};
  part.add("kernel", state.kernel)
      .add("OS", machine.identity.operating_system)
      .add("machine", machine.identity.product);
  part.add("hypervisor", state.hypervisor).add("container", machine.container);
  for (auto& one : {cgroup_part(machine.topology), limits_part(machine.limits), settings_part(state)}) {
    if (!one.facts.empty()) part.children.push_back(one);
  }
  return part;
}

machine_node instructions_part(const machine_facts& machine) {
  machine_node part{.kind = "instructions", .name = "instructions"};
  const std::vector<std::string> names(machine.isa.begin(), machine.isa.end());
  part.add("vectors", std::string(host::widest_vector_isa(machine.isa))).add("all", join(names, " "));
  return part;
}

machine_node software_part(const machine_facts& machine) {
  machine_node part{.kind = "software", .name = "software"};
  machine_node found{.kind = "libraries", .name = "libraries"}, tools{.kind = "tools", .name = "tools"};
  machine_node missing{.kind = "missing", .name = "missing"};
  std::vector<std::string> absent;
  for (const auto& [name, seen] : machine.libraries) {
    if (seen) {
      found.add(name, without_name(*seen, name));
      continue;
    }
    missing.children.push_back({.kind = "library", .name = name});
    missing.children.back().add("because", seen.why().text());
  }
  for (const auto& tool : machine.tools) {
    if (tool.path.empty())
      absent.push_back(tool.name);
    else
      tools.add(tool.name, tool_words(tool));
  }
  if (machine.gpus)
    found.add("CUDA driver", machine.gpus.value().driver).add("CUDA runtime", machine.gpus.value().runtime);
  missing.add("tools", join(absent, ", "));
  for (auto* one : {&found, &tools, &missing}) {
    if (!one->facts.empty() || !one->children.empty()) part.children.push_back(std::move(*one));
  }
  return part;
}

}  // namespace ridge::probe
