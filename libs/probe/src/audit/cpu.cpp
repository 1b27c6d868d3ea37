// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/cpu_list.hpp>

#include "audit/checks.hpp"
#include "audit/per_cpu.hpp"

namespace ridge::probe {
namespace {

std::vector<int> cpus_in(const system_view& system, std::string_view file) {
  const auto list = host::parse_cpu_list(system.text(file).value_or(""));
  return list ? *list : std::vector<int>{};
}

std::vector<int> allowed_among(const system_view& system, const std::vector<int>& some) {
  std::vector<int> both;
  std::ranges::set_intersection(system.machine.allowed, some, std::back_inserter(both));
  return both;
}

observed affinity(const system_view& system) {
  constexpr auto why = "Threads run only on these CPUs; the rest of the machine cannot be used.";
  const auto online = cpus_in(system, "sys/devices/system/cpu/online");
  const auto& allowed = system.machine.allowed;
  if (allowed.empty()) return unreadable("the kernel does not tell the affinity mask", why);
  const auto list = host::format_cpu_list(allowed);
  if (online.size() <= allowed.size())
    return fine(fmt::format("all {} CPUs ({})", allowed.size(), list), why);
  return note(fmt::format("{} of {} CPUs ({})", allowed.size(), online.size(), list), why,
              {fmt::format("to use them all: taskset -c {} ridge ...", host::format_cpu_list(online)),
               "--cpuset-cpus of docker run holds the CPUs; leave it out for all of them",
               "whole CPUs in requests and limits, with kubelet --cpu-manager-policy=static"});
}

observed quota(const system_view& system) {
  constexpr auto why =
      "A quota stops all threads for the rest of each period (100 ms) once it is used up: samples come in "
      "two kinds, and means say nothing.";
  const auto& group = system.machine.cgroup;
  if (group.version == 0) return unreadable("no control groups in procfs here", why);
  if (!group.cpus) return fine("none", why);
  const auto cores = system.machine.cores.size(), threads = system.machine.allowed.size();
  auto seen = fmt::format("{:g} CPUs for {} cores ({} CPUs)", *group.cpus, cores, threads);
  if (*group.cpus >= static_cast<double>(threads)) return fine(std::move(seen), why);
  const advice fix{
      "sudo systemctl set-property UNIT CPUQuota= (empty: none), with the unit of /proc/self/cgroup",
      fmt::format("in place of --cpus={:g}: --cpuset-cpus=0-{}", *group.cpus,
                  std::max(0, static_cast<int>(*group.cpus) - 1)),
      "no CPU limit, or requests equal to limits in whole CPUs with kubelet "
      "--cpu-manager-policy=static"};
  if (*group.cpus >= static_cast<double>(cores)) return warning(std::move(seen), why, fix);
  return invalid(std::move(seen), why, fix);
}

observed siblings(const system_view& system) {
  constexpr auto why =
      "Two threads of one core share its units: peaks are measured with one thread per core, which Ridge "
      "chooses "
      "by itself.";
  const auto& on = system.machine.system.smt;
  if (!on) return unreadable("no SMT state in sysfs here", why);
  const auto counts =
      fmt::format("{} CPUs on {} cores", system.machine.allowed.size(), system.machine.cores.size());
  const bool guest = !system.machine.system.hypervisor.empty();
  if (!*on && !guest) return fine("off: " + counts, why);
  return note(
      fmt::format("{}: {}{}", *on ? "on" : "off", counts,
                  guest ? ", as the hypervisor claims (`ridge peak` measures whether it is so)" : ""),
      why,
      *on && !guest
          ? host_setting("for steadier figures: echo off | sudo tee /sys/devices/system/cpu/smt/control")
          : advice{});
}

observed kinds_of_core(const system_view& system) {
  constexpr auto why =
      "Work split evenly waits for the slow cores; a rate measured over both kinds describes neither.";
  const auto fast = allowed_among(system, cpus_in(system, "sys/devices/cpu_core/cpus"));
  const auto slow = allowed_among(system, cpus_in(system, "sys/devices/cpu_atom/cpus"));
  if (!fast.empty() && !slow.empty()) {
    const auto list = host::format_cpu_list(fast);
    return warning(fmt::format("fast CPUs {}, slow CPUs {}", list, host::format_cpu_list(slow)), why,
                   {fmt::format("taskset -c {} ridge ...", list), "--cpuset-cpus=" + list,
                    "nodes of one kind of core (nodeSelector)"});
  }
  const auto capacities = read_per_cpu(system, "cpu_capacity");
  if (capacities.size() > 1) {
    return warning("capacities " + spelled(capacities), why,
                   anywhere("run on CPUs of one capacity: taskset -c LIST, docker run --cpuset-cpus=LIST"));
  }
  if (fast.empty() && slow.empty() && capacities.empty()) return std::nullopt;
  return fine("one", why);
}

observed isolation(const system_view& system) {
  constexpr auto why =
      "Isolated CPUs get no other work and, with nohz_full, no timer tick: what jitter probes want. Nothing "
      "moves there by itself.";
  const auto isolated = cpus_in(system, "sys/devices/system/cpu/isolated");
  const auto without_tick = system.text("sys/devices/system/cpu/nohz_full").value_or("");
  if (isolated.empty()) return fine("no isolated CPUs", why);
  const auto list = host::format_cpu_list(isolated);
  auto seen = fmt::format("isolated CPUs {}{}{}", list,
                          without_tick.empty() || without_tick == "(null)" ? "" : ", without tick ",
                          without_tick == "(null)" ? "" : without_tick);
  if (!allowed_among(system, isolated).empty()) return fine(seen + "; in reach", why);
  return note(seen + "; not in the affinity mask", why,
              {"for jitter probes: taskset -c " + list + " ridge ...", "--cpuset-cpus=" + list,
               "kubelet --reserved-cpus and --cpu-manager-policy=static, whole CPUs in requests and limits"});
}

observed mitigations(const system_view& system) {
  constexpr auto why =
      "Mitigations make system calls and switches slower, by up to several times; loops in user code pay "
      "nothing.";
  const auto folder = std::string("sys/devices/system/cpu/vulnerabilities/");
  const auto names = system.names_in(folder);
  if (names.empty()) return unreadable("no list of vulnerabilities in sysfs here", why);
  int mitigated = 0, open = 0;
  for (const auto& name : names) {
    const auto text = system.text(folder + name).value_or("");
    mitigated += text.starts_with("Mitigation");
    open += text.starts_with("Vulnerable");
  }
  const auto seen = fmt::format("{} mitigated, {} open, of {}", mitigated, open, names.size());
  const bool off = system.text("proc/cmdline").value_or("").find("mitigations=off") != std::string::npos;
  if (off) return note(seen + "; booted with mitigations=off", why);
  return mitigated == 0 ? fine(seen, why) : note(seen, why);
}

constexpr std::array all_cpu_checks{
    check{"cpu.affinity", "Usable CPUs", affinity},     check{"cpu.quota", "CPU quota", quota},
    check{"cpu.smt", "Threads of a core", siblings},    check{"cpu.kinds", "Kinds of core", kinds_of_core},
    check{"cpu.isolation", "Isolated CPUs", isolation}, check{"cpu.mitigations", "Mitigations", mitigations}};

}  // namespace

std::span<const check> cpu_checks() { return all_cpu_checks; }

}  // namespace ridge::probe
