// SPDX-License-Identifier: Apache-2.0
#include "audit/per_cpu.hpp"

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/cpu_list.hpp>

namespace ridge::probe {

cpus_by_value read_per_cpu(const system_view& of, std::string_view file) {
  cpus_by_value values;
  for (const int cpu : of.machine.allowed) {
    if (const auto text = of.text(fmt::format("sys/devices/system/cpu/cpu{}/{}", cpu, file)))
      values[*text].push_back(cpu);
  }
  return values;
}

std::string spelled(const cpus_by_value& values) {
  if (values.size() == 1) return values.begin()->first;
  std::vector<std::string> parts;
  for (const auto& [value, cpus] : values)
    parts.push_back(fmt::format("{} (CPUs {})", value, host::format_cpu_list(cpus)));
  return join(parts, ", ");
}

}  // namespace ridge::probe
