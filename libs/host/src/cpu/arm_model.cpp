// SPDX-License-Identifier: Apache-2.0
#include "cpu/arm_model.hpp"

#include <algorithm>
#include <array>

#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

struct arm_core {
  std::string_view implementer, part, name;
};

// MIDR_EL1 values as the technical reference manuals of Arm and asm/cputype.h of the kernel list them: the
// cores of servers and of developer boards with NVIDIA GPUs.
constexpr std::array<arm_core, 12> cores{{{"0x41", "0xd0b", "Arm Cortex-A76"},
                                          {"0x41", "0xd0c", "Arm Neoverse-N1"},
                                          {"0x41", "0xd40", "Arm Neoverse-V1"},
                                          {"0x41", "0xd42", "Arm Cortex-A78AE"},
                                          {"0x41", "0xd49", "Arm Neoverse-N2"},
                                          {"0x41", "0xd4f", "Arm Neoverse-V2"},
                                          {"0x41", "0xd84", "Arm Neoverse-V3"},
                                          {"0x41", "0xd8e", "Arm Neoverse-N3"},
                                          {"0x46", "0x001", "Fujitsu A64FX"},
                                          {"0x48", "0xd01", "HiSilicon Kunpeng-920"},
                                          {"0xc0", "0xac3", "Ampere-1"},
                                          {"0xc0", "0xac4", "Ampere-1a"}}};

}  // namespace

std::string arm_model(std::string_view cpuinfo) {
  const auto implementer = value_after(cpuinfo, "CPU implementer"), part = value_after(cpuinfo, "CPU part");
  if (implementer.empty() || part.empty()) return {};
  const auto known = std::ranges::find_if(
      cores, [&](const arm_core& c) { return c.implementer == implementer && c.part == part; });
  if (known != cores.end()) return std::string(known->name);
  return "Arm implementer " + std::string(implementer) + " part " + std::string(part);
}

}  // namespace ridge::host
