// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

constexpr auto counters_tell =
    "Without counters a result says how fast, but not why: misses, instructions and stalls stay unseen.";

constexpr int perfmon = 38, system_administrator = 21;  // CAP_PERFMON, CAP_SYS_ADMIN (linux/capability.h)

bool may(const system_view& system, int capability) {
  const auto status = system.text("proc/self/status").value_or("");
  const auto hex = host::value_after(status, "CapEff");
  std::uint64_t bits = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), bits, 16);
  return (bits >> capability & 1) != 0;
}

bool has_unit(const system_view& system) {
  for (const auto& name : system.names_in("sys/bus/event_source/devices")) {
    if (name == "cpu" || name == "cpu_core" || name.starts_with("armv8")) return true;
  }
  return false;
}

observed unit(const system_view& system) {
  const auto names = system.names_in("sys/bus/event_source/devices");
  if (names.empty()) return unreadable("no event sources in sysfs here", counters_tell);
  if (has_unit(system)) return fine("present", counters_tell);
  return note("no hardware counters: " + join(names, ", "), counters_tell,
              {"a virtual machine needs a virtual PMU from its host (KVM: -cpu host,pmu=on)", "the host's",
               "the node's"});
}

observed permission(const system_view& system) {
  const auto level = system.machine.system.perf_event_paranoid;
  if (!level) return unreadable("procfs does not tell kernel.perf_event_paranoid", counters_tell);
  auto seen = fmt::format("kernel.perf_event_paranoid = {}", *level);
  if (*level <= 2) return fine(std::move(seen), counters_tell);
  if (may(system, perfmon) || may(system, system_administrator))
    return fine(seen + ", and the capability to ignore it", counters_tell);
  return warning(
      std::move(seen), counters_tell,
      {"sudo sysctl kernel.perf_event_paranoid=2",
       "--cap-add=PERFMON (and --security-opt seccomp=unconfined where the profile forbids perf_event_open)",
       "securityContext.capabilities.add: [PERFMON]"});
}

observed filter(const system_view& system) {
  constexpr auto why =
      "A filter may forbid perf_event_open, io_uring, mbind and huge pages, and makes each system call "
      "slower.";
  const auto status = system.text("proc/self/status").value_or("");
  const auto mode = host::value_after(status, "Seccomp");
  if (mode.empty()) return unreadable("procfs does not tell the seccomp mode", why);
  if (mode == "0") return fine("none", why);
  return note("seccomp mode " + std::string(mode), why,
              {"", "--security-opt seccomp=unconfined, for a measurement",
               "securityContext.seccompProfile.type: Unconfined"});
}

observed kernel_addresses(const system_view& system) {
  constexpr auto why = "With hidden addresses a profile cannot name the kernel's functions.";
  const auto mode = system.number("proc/sys/kernel/kptr_restrict");
  if (!mode) return std::nullopt;
  auto seen = fmt::format("kernel.kptr_restrict = {}", *mode);
  if (*mode == 0) return fine(std::move(seen), why);
  return note(std::move(seen), why, host_setting("sudo sysctl kernel.kptr_restrict=0"));
}

observed gpu_counters(const system_view& system) {
  constexpr auto why =
      "Nsight Compute and CUPTI get no counters where only administrators may read them; then intensities "
      "are the declared ones.";
  const auto text = system.text("proc/driver/nvidia/params");
  if (!text) return std::nullopt;
  const auto admin_only = host::value_after(*text, "RmProfilingAdminOnly");
  if (admin_only.empty()) return unreadable("the driver does not tell RmProfilingAdminOnly", why);
  if (admin_only == "0" || may(system, system_administrator)) return fine("open to every user", why);
  return note(
      "open only to administrators", why,
      {"options nvidia NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then reload the driver",
       "--cap-add=SYS_ADMIN, or the host's driver option", "securityContext.capabilities.add: [SYS_ADMIN]"});
}

constexpr std::array all_counter_checks{
    check{"counters.unit", "Hardware counters", unit},
    check{"counters.permission", "Permission to count", permission},
    check{"counters.filter", "System call filter", filter},
    check{"counters.kernel_addresses", "Kernel addresses", kernel_addresses},
    check{"counters.gpu", "GPU counters", gpu_counters}};

}  // namespace

std::span<const check> counter_checks() { return all_counter_checks; }

}  // namespace ridge::probe
