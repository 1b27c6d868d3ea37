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
  return {};
}

std::string unavailable_because(const variant_facts& v, const device::device& where) {
  auto why = unavailable_because(v);
  const auto here = where.gpus().size();
  if (!why.empty() || v.needs.gpus <= 1 || static_cast<std::size_t>(v.needs.gpus) <= here) return why;
  return fmt::format("needs {} GPUs, {} here", v.needs.gpus,
                     here == 1 ? "1 is" : fmt::format("{} are", here));
}

}  // namespace ridge::harness
