// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

observed virtual_machine(const system_view& system) {
  constexpr auto why =
      "A hypervisor hides counters and frequencies and may claim cores that are threads of one core, or "
      "share them with neighbours.";
  const auto& under = system.machine.system.hypervisor;
  if (under.empty()) return fine("bare metal", why);
  return note(
      "under " + under, why,
      {.bare_metal = "for whole cores, dedicated vCPUs pinned by the host (a dedicated or metal instance)"});
}

observed container(const system_view& system) {
  constexpr auto why =
      "A container may have limits of CPU, memory and devices that the machine itself does not show.";
  if (system.container.empty()) return fine("none", why);
  return note(system.container, why);
}

constexpr std::array all_machine_checks{check{"machine.virtual", "Virtual machine", virtual_machine},
                                        check{"machine.container", "Container", container}};

}  // namespace

std::span<const check> machine_checks() { return all_machine_checks; }

}  // namespace ridge::probe
