// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::host {

// The common name behind a CPUID 0x40000000 signature ("KVMKVMKVM" is KVM); the signature itself when not
// known.
[[nodiscard]] std::string hypervisor_name(std::string_view signature);

// By CPUID on this machine; empty on bare metal and where CPUID does not exist.
[[nodiscard]] std::string read_hypervisor();

}  // namespace ridge::host
