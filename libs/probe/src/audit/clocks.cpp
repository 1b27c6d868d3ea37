// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"
#include "audit/per_cpu.hpp"

namespace ridge::probe {
namespace {

std::string no_cpufreq(const system_view& system) {
  const auto& under = system.machine.system.hypervisor;
  return under.empty() ? "no cpufreq in sysfs here"
                       : "the hypervisor (" + under + ") decides; no cpufreq in sysfs here";
}

bool all_are(const cpus_by_value& values, std::string_view wanted) {
  return std::ranges::all_of(values, [&](const auto& entry) { return entry.first == wanted; });
}

observed governor(const system_view& system) {
  constexpr auto why =
      "Clocks that follow the load lag behind it: the first milliseconds of a run are slow, and two runs "
      "differ.";
  const auto values = read_per_cpu(system, "cpufreq/scaling_governor");
  if (values.empty()) return unreadable(no_cpufreq(system), why);
  const auto preference = read_per_cpu(system, "cpufreq/energy_performance_preference");
  const auto driver = read_per_cpu(system, "cpufreq/scaling_driver");
  auto seen = spelled(values) + (driver.empty() ? "" : ", driver " + spelled(driver));
  // Where the hardware chooses the clock (intel_pstate, amd_pstate active), the preference decides and not
  // the governor.
  if (all_are(values, "performance") || (!preference.empty() && all_are(preference, "performance")))
    return fine(std::move(seen), why);
  return warning(std::move(seen), why, host_setting("sudo cpupower frequency-set -g performance"));
}

observed energy_preference(const system_view& system) {
  constexpr auto why =
      "The hardware chooses the clock by this preference; towards power it ramps late and stays low.";
  const auto values = read_per_cpu(system, "cpufreq/energy_performance_preference");
  if (values.empty()) return std::nullopt;
  if (all_are(values, "performance")) return fine(spelled(values), why);
  const auto fix = host_setting("sudo cpupower set --epp performance");
  const bool saves = values.contains("power") || values.contains("balance_power");
  return saves ? warning(spelled(values), why, fix) : note(spelled(values), why, fix);
}

observed frequency_cap(const system_view& system) {
  constexpr auto why = "A cap below what the CPU can do lowers every figure by the same share.";
  std::string capped;
  long long most = 0;
  bool read = false;
  for (const int cpu : system.machine.allowed) {
    const auto folder = fmt::format("sys/devices/system/cpu/cpu{}/cpufreq/", cpu);
    const auto cap = system.number(folder + "scaling_max_freq"),
               can = system.number(folder + "cpuinfo_max_freq");
    if (!cap || !can) continue;
    read = true;
    most = std::max(most, *can);
    if (*cap < *can && capped.empty())
      capped = fmt::format("CPU {} is held to {} of {} MHz", cpu, *cap / 1000, *can / 1000);
  }
  if (!read) return std::nullopt;
  if (capped.empty()) return fine(fmt::format("none; up to {} MHz", most / 1000), why);
  return warning(capped, why, host_setting(fmt::format("sudo cpupower frequency-set -u {}MHz", most / 1000)));
}

observed turbo(const system_view& system) {
  constexpr auto why =
      "Without turbo the CPU stays at its base clock: steadier, and lower than the peak by their ratio.";
  const auto& on = system.machine.system.turbo;
  if (!on) return unreadable(no_cpufreq(system), why);
  if (*on) return fine("on", why);
  const bool intel = system.number("sys/devices/system/cpu/intel_pstate/no_turbo").has_value();
  return warning("off", why,
                 host_setting(intel ? "echo 0 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
                                    : "echo 1 | sudo tee /sys/devices/system/cpu/cpufreq/boost"));
}

struct idle_state {
  std::string name{};
  long long exit_us = 0;
};

// Returns the enabled idle state that takes longest to leave.
std::optional<idle_state> deepest(const system_view& system, int cpu) {
  std::optional<idle_state> found;
  const auto folder = fmt::format("sys/devices/system/cpu/cpu{}/cpuidle/", cpu);
  for (const auto& state : system.names_in(folder)) {
    const auto in = folder + state;
    if (system.number(in + "/disable").value_or(0) != 0) continue;
    const auto exit_us = system.number(in + "/latency").value_or(0);
    if (!found || exit_us > found->exit_us) found = {system.text(in + "/name").value_or(state), exit_us};
  }
  return found;
}

observed idle_states(const system_view& system) {
  constexpr auto why =
      "A sleeping core wakes as late as its idle state takes to leave: that is added to every hand-over "
      "between "
      "threads.";
  if (system.machine.allowed.empty()) return std::nullopt;
  const auto state = deepest(system, system.machine.allowed.front());
  if (!state) return unreadable("no cpuidle in sysfs here", why);
  auto seen =
      fmt::format("{}, {} µs to leave, is the deepest enabled ({}, {})", state->name, state->exit_us,
                  system.text("sys/devices/system/cpu/cpuidle/current_driver").value_or("no driver"),
                  system.text("sys/devices/system/cpu/cpuidle/current_governor").value_or("no governor"));
  constexpr long long noticeable_us = 50;
  if (state->exit_us < noticeable_us) return fine(std::move(seen), why);
  return warning(std::move(seen), why,
                 {"sudo cpupower idle-set -D 10 (for latency work; -E undoes it)",
                  "on the host: sudo cpupower idle-set -D 10; or --device /dev/cpu_dma_latency, so that a "
                  "program may hold it open with 0 in it",
                  "with CRI-O, in a runtime class that allows it, the annotation cpu-c-states.crio.io: "
                  "\"max_latency:10\""});
}

observed clocksource(const system_view& system) {
  constexpr auto why =
      "The kernel's clock by TSC costs about 20 ns per reading; by HPET or ACPI a microsecond, which enters "
      "every "
      "short interval.";
  const auto source = system.text("sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!source) return unreadable("no clocksource in sysfs here", why);
  const auto fix =
      host_setting("see why in dmesg (grep -i tsc), then boot with clocksource=tsc tsc=reliable");
  if (*source == "hpet" || *source == "acpi_pm" || *source == "jiffies" || *source == "refined-jiffies")
    return invalid(*source, why, fix);
  if (*source == "tsc" || *source == "arch_sys_counter") return fine(*source, why);
  return warning(*source, why, fix);
}

observed invariant_tsc(const system_view& system) {
  constexpr auto why = "Only a time stamp counter that neither stops nor follows the clock measures time.";
  const auto text = system.text("proc/cpuinfo").value_or("");
  const auto flags = split(host::value_after(text, "flags"), ' ');
  const auto has = [&](std::string_view flag) { return std::ranges::find(flags, flag) != flags.end(); };
  if (!has("tsc")) return std::nullopt;
  if (has("constant_tsc") && has("nonstop_tsc"))
    return fine(has("tsc_known_freq") ? "constant, never stops, of known frequency" : "constant, never stops",
                why);
  return warning(has("constant_tsc") ? "stops in deep idle" : "follows the CPU's clock", why,
                 {.bare_metal = "use a machine whose CPU or hypervisor gives an invariant TSC",
                  .container = "the host's",
                  .kubernetes = "the node's"});
}

constexpr std::array all_clock_checks{check{"cpu.governor", "Frequency governor", governor},
                                      check{"cpu.energy_preference", "Energy preference", energy_preference},
                                      check{"cpu.frequency_cap", "Frequency cap", frequency_cap},
                                      check{"cpu.turbo", "Turbo", turbo},
                                      check{"cpu.idle_states", "Idle states", idle_states},
                                      check{"cpu.clocksource", "Kernel's clock", clocksource},
                                      check{"cpu.tsc", "Time stamp counter", invariant_tsc}};

}  // namespace

std::span<const check> clock_checks() { return all_clock_checks; }

}  // namespace ridge::probe
