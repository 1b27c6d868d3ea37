// SPDX-License-Identifier: Apache-2.0
#include "system/hypervisor.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ridge::host {

std::string hypervisor_name(std::string_view signature) {
  struct known {
    std::string_view signature, name;
  };
  constexpr known table[] = {{"KVMKVMKVM", "KVM"},          {"Microsoft Hv", "Hyper-V"},
                             {"VMwareVMware", "VMware"},    {"XenVMMXenVMM", "Xen"},
                             {"TCGTCGTCGTCG", "QEMU"},      {"bhyve bhyve ", "bhyve"},
                             {"VBoxVBoxVBox", "VirtualBox"}};
  for (const auto& one : table) {
    if (signature.starts_with(one.signature)) return std::string(one.name);
  }
  const auto end = signature.find('\0');
  const std::string shown(signature.substr(0, end));
  return shown.empty() ? "unknown" : shown;
}

std::string read_hypervisor() {
#if defined(__x86_64__)
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  constexpr std::uint32_t hypervisor_bit = 1u << 31;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & hypervisor_bit) == 0) return {};
  __cpuid(0x40000000, a, b, c, d);
  std::array<char, 12> signature{};
  std::memcpy(signature.data(), &b, 4);
  std::memcpy(signature.data() + 4, &c, 4);
  std::memcpy(signature.data() + 8, &d, 4);
  return hypervisor_name({signature.data(), signature.size()});
#else
  return {};
#endif
}

}  // namespace ridge::host
