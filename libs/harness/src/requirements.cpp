// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/harness/runner.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/host/topology.hpp>

namespace ridge::harness {
namespace {

std::size_t physical_cores() {
  static const std::size_t cores = host::read_topology().one_cpu_per_core().size();
  return cores;
}

}  // namespace

std::string unavailable_because(const variant_facts& v) {
  for (const auto& isa : v.needs.isa) {
    if (!host::has_isa(isa)) return fmt::format("needs {}, which this CPU does not have", isa);
  }
  const auto wanted = std::max(v.needs.cores, v.threads);
  if (wanted > 0 && static_cast<std::size_t>(wanted) > physical_cores()) {
    return fmt::format("needs {} physical cores, this process may use {}", wanted, physical_cores());
  }
  if (v.needs.devices > 0)
    return fmt::format("needs {} GPU(s), and this build has no GPU backend", v.needs.devices);
  return {};
}

}  // namespace ridge::harness
