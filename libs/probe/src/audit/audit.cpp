// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/audit.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

model::audit_check report_of(const check& one, observation seen) {
  return {.id = std::string(one.id),
          .title = std::string(one.title),
          .severity = seen.severity,
          .seen = std::move(seen.seen),
          .why = std::move(seen.why),
          .fix_bare_metal = std::move(seen.fix.bare_metal),
          .fix_container = std::move(seen.fix.container),
          .fix_kubernetes = std::move(seen.fix.kubernetes)};
}

}  // namespace

model::audit audit(const system_view& of) {
  model::audit made;
  for (const auto subject :
       {machine_checks, clock_checks, cpu_checks, memory_checks, numa_checks, limit_checks, storage_checks,
        counter_checks, contention_checks, variable_checks, build_checks, gpu_driver_checks, gpu_clock_checks,
        gpu_sharing_checks, gpu_health_checks, pcie_checks}) {
    for (const auto& one : subject()) {
      if (auto seen = one.look(of)) made.checks.push_back(report_of(one, std::move(*seen)));
    }
  }
  return made;
}

}  // namespace ridge::probe
