// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/host/cpu_list.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

constexpr auto neighbours =
    "Who shares the CPUs shares caches and bandwidth too: times get longer and spread.";

std::optional<double> real(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

struct load {
  double minute = 0;
  long long running = 0;  // threads that run now, including this one
};

// Reads "0.52 0.58 0.59 3/1024 4711" (proc_loadavg(5)).
std::optional<load> read_load(const system_view& system) {
  const auto text = system.text("proc/loadavg").value_or("");
  const auto parts = split(text, ' ');
  if (parts.size() < 4) return std::nullopt;
  const auto minute = real(parts[0]);
  const auto running = host::to_number(parts[3].substr(0, parts[3].find('/')));
  if (!minute || !running) return std::nullopt;
  return load{*minute, *running};
}

observed load_now(const system_view& system) {
  const auto now = read_load(system);
  if (!now) return unreadable("procfs does not tell the load", neighbours);
  const auto online = host::parse_cpu_list(system.text("sys/devices/system/cpu/online").value_or(""));
  const auto cpus =
      online && !online->empty() ? online->size() : std::max<std::size_t>(1, system.machine.allowed.size());
  const double each = now->minute / static_cast<double>(cpus);
  const auto others = std::max(0LL, now->running - 1);
  auto seen = fmt::format("{:.2f} over the last minute on {} CPUs, {} running now beside us", now->minute,
                          cpus, others);
  constexpr double much = 0.2;
  if (each <= much) return fine(std::move(seen), neighbours);
  // The average still contains what has ended, such as a previous run of this program.
  if (others == 0) return note(std::move(seen), neighbours);
  return warning(std::move(seen), neighbours,
                 {"see who: top; wait, or pin to CPUs that are free (taskset)",
                  "--cpuset-cpus with CPUs that nobody else has",
                  "kubelet --cpu-manager-policy=static with whole CPUs: nobody else runs on them"});
}

// Reads the share of time in "some avg10=0.12 avg60=..." of proc/pressure/NAME.
std::optional<double> waiting_share(const system_view& system, const std::string& name) {
  const auto text = system.text("proc/pressure/" + name).value_or("");
  const auto at = text.find("some avg10=");
  if (at == std::string::npos) return std::nullopt;
  const auto from = at + std::string_view("some avg10=").size();
  return real(std::string_view(text).substr(from, text.find(' ', from) - from));
}

observed pressure(const system_view& system) {
  std::vector<std::string> parts;
  bool high = false;
  for (const auto* name : {"cpu", "memory", "io"}) {
    const auto share = waiting_share(system, name);
    if (!share) continue;
    constexpr double much = 5;
    high = high || *share > much;
    parts.push_back(fmt::format("{} {:g} %", name, *share));
  }
  constexpr auto why = "Share of the last 10 s in which some thread waited for this resource.";
  if (parts.empty()) return unreadable("no /proc/pressure (boot with psi=1)", why);
  if (!high) return fine(join(parts, ", "), why);
  return warning(join(parts, ", "), why,
                 {"end or move what competes (top, iotop)", "larger --cpus and --memory, or fewer neighbours",
                  "larger requests, so that the scheduler places fewer pods beside this one"});
}

observed steal(const system_view& system) {
  constexpr auto why =
      "The hypervisor ran other machines on these CPUs; that time is part of every wall-clock figure.";
  if (!system.recent || system.machine.system.hypervisor.empty()) return std::nullopt;
  auto seen = fmt::format("{:.1f} % of {:.2g} s", system.recent->steal_share * 100, system.recent->seconds);
  constexpr double much = 0.005;
  if (system.recent->steal_share <= much) return fine(std::move(seen), why);
  return warning(std::move(seen), why,
                 anywhere("dedicated CPUs (an instance without shared or burstable cores), or another time"));
}

observed throttling(const system_view& system) {
  constexpr auto why = "The quota of the control group stopped this process; such samples measure the quota.";
  if (!system.recent || system.machine.cgroup.cpu_folder.empty()) return std::nullopt;
  auto seen = fmt::format("{} periods in {:.2g} s", system.recent->throttled_periods, system.recent->seconds);
  if (system.recent->throttled_periods == 0) return fine(std::move(seen), why);
  return invalid(
      std::move(seen), why,
      {"sudo systemctl set-property UNIT CPUQuota=", "leave --cpus out; hold CPUs with --cpuset-cpus",
       "no CPU limit, or whole CPUs with kubelet --cpu-manager-policy=static"});
}

observed interrupts(const system_view& system) {
  constexpr auto why = "Each device interrupt takes microseconds from the thread it lands on.";
  if (!system.recent) return std::nullopt;
  constexpr double many = 1000;
  auto seen = fmt::format(
      "{:.0f}/s on these CPUs{}", system.recent->interrupts_per_s,
      system.recent->busiest_interrupt.empty() ? "" : ", most from " + system.recent->busiest_interrupt);
  if (system.recent->interrupts_per_s <= many) return fine(std::move(seen), why);
  const auto& name = system.recent->busiest_interrupt;
  const auto number = name.substr(0, name.find(' '));
  return warning(std::move(seen), why,
                 host_setting(fmt::format(
                     "echo 0 | sudo tee /proc/irq/{}/smp_affinity_list (CPUs that do not measure)", number)));
}

observed interrupt_balancing(const system_view& system) {
  constexpr auto why = "irqbalance moves interrupts onto whatever CPU looks idle, pinned benchmarks' too.";
  if (system.names_in("run/irqbalance").empty()) return fine("irqbalance does not run", why);
  const auto cpus = host::format_cpu_list(system.machine.allowed);
  return note("irqbalance runs", why,
              host_setting(fmt::format(
                  "IRQBALANCE_BANNED_CPULIST={} in /etc/default/irqbalance, then restart it", cpus)));
}

observed steering(const system_view& system) {
  constexpr auto why =
      "Receive steering runs the network's work on these CPUs, beside what is measured there.";
  std::vector<std::string> steered;
  for (const auto& name : system.names_in("sys/class/net")) {
    const auto mask = system.text("sys/class/net/" + name + "/queues/rx-0/rps_cpus").value_or("");
    if (mask.find_first_not_of("0,") != std::string::npos)
      steered.push_back(fmt::format("{}: CPU mask {}", name, mask));
  }
  if (steered.empty()) return fine("none", why);
  const auto name = steered.front().substr(0, steered.front().find(':'));
  return note(join(steered, ", "), why,
              host_setting(fmt::format("echo 0 | sudo tee /sys/class/net/{}/queues/rx-*/rps_cpus", name)));
}

constexpr std::array all_contention_checks{
    check{"contention.load", "Load", load_now},
    check{"contention.pressure", "Pressure", pressure},
    check{"contention.steal", "Stolen time", steal},
    check{"contention.throttling", "Throttled by quota", throttling},
    check{"contention.interrupts", "Device interrupts", interrupts},
    check{"contention.irqbalance", "Interrupt balancing", interrupt_balancing},
    check{"contention.steering", "Receive steering", steering}};

}  // namespace

std::span<const check> contention_checks() { return all_contention_checks; }

}  // namespace ridge::probe
