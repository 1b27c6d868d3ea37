// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::host {

// Returns the common name of a hypervisor with this signature in CPUID 0x40000000 ("KVMKVMKVM" is KVM); the
// signature itself when it is not known.
[[nodiscard]] std::string hypervisor_name(std::string_view signature);

// Returns the hypervisor of this machine, by CPUID; empty on bare metal and where CPUID does not exist.
[[nodiscard]] std::string read_hypervisor();

}  // namespace ridge::host
