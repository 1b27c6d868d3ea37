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

// No value for what is unlimited: JSON has no infinity.
void add_limit(machine_node& to, std::string what, const std::optional<process_limit>& of, std::string unit) {
  if (!of) return;
  auto words = amount_words(of->soft, unit);
  if (of->hard != of->soft) words += " (at most " + amount_words(of->hard, unit) + ')';
  if (of->soft == host::no_limit)
    to.add(std::move(what), std::move(words));
  else
    to.add(std::move(what), std::move(words), static_cast<double>(of->soft), std::move(unit));
}

machine_node limits_part(const host::process_limits& of) {
  machine_node part{.kind = "process_limits", .name = "process"};
  add_limit(part, "locked memory", of.locked_bytes, "B");
  add_limit(part, "open files", of.open_files, "1");
  add_limit(part, "processes", of.processes, "1");
  add_limit(part, "stack", of.stack_bytes, "B");
  add_limit(part, "address space", of.address_space_bytes, "B");
  add_limit(part, "realtime priority", of.realtime_priority, "1");
  add_limit(part, "core file", of.core_bytes, "B");
  return part;
}

machine_node cgroup_part(const host::topology& of) {
  machine_node part{.kind = "cgroup", .name = "control group"};
  if (of.cgroup.version > 0)
    part.add("version", fmt::format("{}", of.cgroup.version), of.cgroup.version, "1");
  const auto& cpus = of.cgroup.cpus;
  part.add("allowed CPUs", host::format_cpu_list(of.allowed), static_cast<double>(of.allowed.size()), "1");
  if (cpus)
    part.add("CPU quota", fmt::format("{:g} CPUs", *cpus), *cpus, "1");
  else
    part.add("CPU quota", "none");
  if (of.cgroup.memory_bytes)
    add_bytes(part, "memory limit", static_cast<double>(*of.cgroup.memory_bytes));
  else
    part.add("memory limit", "none");
  return part;
}

machine_node settings_part(const host::system_state& of) {
  machine_node part{.kind = "settings", .name = "settings"};
  const auto on_off = [](const std::optional<bool>& x) { return !x ? "" : *x ? "on" : "off"; };
  const auto number = [&](const char* what, const std::optional<int>& x) {
    if (x) part.add(what, fmt::format("{}", *x), *x, "1");
  };
  part.add("governor", of.governor).add("turbo", on_off(of.turbo)).add("SMT", on_off(of.smt));
  part.add("huge pages", of.transparent_huge_pages);
  number("address randomization", of.address_randomization);
  number("perf_event_paranoid", of.perf_event_paranoid);
  return part;
}

// "OpenBLAS 0.3.21" of OpenBLAS is "0.3.21".
std::string without_name(std::string_view found, std::string_view name) {
  if (!found.starts_with(name)) return std::string(found);
  const auto rest = found.substr(name.size());
  const auto from = rest.find_first_not_of(", ");
  return std::string(from == 0 || from == std::string_view::npos ? found : rest.substr(from));
}

std::string tool_words(const host::tool& of) { return of.version.empty() ? "does not tell" : of.version; }

}  // namespace

machine_node system_part(const machine_facts& of) {
  const auto& state = of.topology.system;
  machine_node part{.kind = "system", .name = "system"};
  part.add("kernel", state.kernel)
      .add("OS", of.identity.operating_system)
      .add("machine", of.identity.product);
  part.add("hypervisor", state.hypervisor).add("container", of.container);
  for (auto& one : {cgroup_part(of.topology), limits_part(of.limits), settings_part(state)}) {
    if (!one.facts.empty()) part.children.push_back(one);
  }
  return part;
}

machine_node instructions_part(const machine_facts& of) {
  machine_node part{.kind = "instructions", .name = "instructions"};
  const std::vector<std::string> names(of.isa.begin(), of.isa.end());
  part.add("vectors", std::string(host::widest_vector_isa(of.isa))).add("all", join(names, " "));
  return part;
}

machine_node software_part(const machine_facts& of) {
  machine_node part{.kind = "software", .name = "software"};
  machine_node found{.kind = "libraries", .name = "libraries"}, tools{.kind = "tools", .name = "tools"};
  machine_node missing{.kind = "missing", .name = "missing"};
  std::vector<std::string> absent;
  for (const auto& [name, seen] : of.libraries) {
    if (seen) {
      found.add(name, without_name(*seen, name));
      continue;
    }
    missing.children.push_back({.kind = "library", .name = name});
    missing.children.back().add("because", seen.why().text());
  }
  for (const auto& tool : of.tools) {
    if (tool.path.empty())
      absent.push_back(tool.name);
    else
      tools.add(tool.name, tool_words(tool));
  }
  if (of.gpus) found.add("CUDA driver", of.gpus.value().driver).add("CUDA runtime", of.gpus.value().runtime);
  missing.add("tools", join(absent, ", "));
  for (auto* one : {&found, &tools, &missing}) {
    if (!one->facts.empty() || !one->children.empty()) part.children.push_back(std::move(*one));
  }
  return part;
}

}  // namespace ridge::probe
