// SPDX-License-Identifier: Apache-2.0
#include "audited.hpp"

namespace ridge::probe {
namespace {

using audit_cpu = audited;

TEST_F(audit_cpu, a_governor_that_follows_the_load_is_warned_of) {
  expect_said("cpu.governor", unknown, "no cpufreq");
  write_cpus("cpufreq/scaling_governor", "performance");
  expect_fine("cpu.governor");
  write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave");
  expect_problem("cpu.governor", warning, "performance (CPUs 0), powersave (CPUs 1)",
                 "cpupower frequency-set -g performance");
  EXPECT_NE(look("cpu.governor").fix_container.find("on the host"), std::string::npos);
}

TEST_F(audit_cpu, the_preference_rules_where_the_hardware_chooses) {
  EXPECT_FALSE(is_asked("cpu.energy_preference"));
  write_cpus("cpufreq/scaling_governor", "powersave");
  write_cpus("cpufreq/energy_performance_preference", "performance");
  expect_fine("cpu.governor");
  expect_fine("cpu.energy_preference");
  write_cpus("cpufreq/energy_performance_preference", "balance_power");
  expect_problem("cpu.governor", warning, "powersave", "cpupower");
  expect_problem("cpu.energy_preference", warning, "balance_power", "--epp performance");
  write_cpus("cpufreq/energy_performance_preference", "balance_performance");
  expect_said("cpu.energy_preference", info, "balance_performance");
}

TEST_F(audit_cpu, a_frequency_cap_is_named_with_both_clocks) {
  EXPECT_FALSE(is_asked("cpu.frequency_cap"));
  write_cpus("cpufreq/scaling_max_freq", "3500000");
  write_cpus("cpufreq/cpuinfo_max_freq", "3500000");
  expect_fine("cpu.frequency_cap");
  write("sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq", "2000000");
  expect_problem("cpu.frequency_cap", warning, "CPU 1 is held to 2000 of 3500 MHz", "-u 3500MHz");
}

TEST_F(audit_cpu, turbo_off_is_warned_of_by_its_own_switch) {
  expect_said("cpu.turbo", unknown, "no cpufreq");
  write("sys/devices/system/cpu/cpufreq/boost", "1");
  expect_fine("cpu.turbo");
  write("sys/devices/system/cpu/cpufreq/boost", "0");
  expect_problem("cpu.turbo", warning, "off", "cpufreq/boost");
  write("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  expect_problem("cpu.turbo", warning, "off", "intel_pstate/no_turbo");
}

TEST_F(audit_cpu, a_deep_idle_state_counts_while_it_is_enabled) {
  expect_said("cpu.idle_states", unknown, "no cpuidle");
  const std::string folder = "sys/devices/system/cpu/cpu0/cpuidle/";
  write(folder + "state0/name", "C1");
  write(folder + "state0/latency", "1");
  write(folder + "state1/name", "C6");
  write(folder + "state1/latency", "170");
  expect_problem("cpu.idle_states", warning, "C6, 170 µs", "idle-set -D");
  write(folder + "state1/disable", "1");
  expect_fine("cpu.idle_states");
}

TEST_F(audit_cpu, only_a_slow_kernel_clock_makes_results_wrong) {
  const std::string file = "sys/devices/system/clocksource/clocksource0/current_clocksource";
  expect_said("cpu.clocksource", unknown, "no clocksource");
  write(file, "tsc");
  expect_fine("cpu.clocksource");
  write(file, "kvm-clock");
  expect_problem("cpu.clocksource", warning, "kvm-clock", "clocksource=tsc");
  write(file, "hpet");
  expect_problem("cpu.clocksource", error, "hpet", "clocksource=tsc");
}

TEST_F(audit_cpu, a_time_stamp_counter_must_not_stop) {
  expect_fine("cpu.tsc");
  write("proc/cpuinfo", "flags\t: fpu tsc constant_tsc");
  expect_problem("cpu.tsc", warning, "stops", "invariant");
  write("proc/cpuinfo", "Features\t: fp asimd");
  EXPECT_FALSE(is_asked("cpu.tsc"));
}

TEST_F(audit_cpu, a_mask_smaller_than_the_machine_is_noted) {
  expect_fine("cpu.affinity");
  write("sys/devices/system/cpu/online", "0-7");
  expect_problem("cpu.affinity", info, "2 of 8 CPUs (0-1)", "taskset -c 0-7");
}

TEST_F(audit_cpu, a_quota_below_the_cores_makes_results_wrong) {
  expect_said("cpu.quota", unknown, "no control groups");
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "max 100000");
  expect_fine("cpu.quota");
  write("sys/fs/cgroup/cpu.max", "200000 100000");
  expect_fine("cpu.quota");
  write("sys/fs/cgroup/cpu.max", "150000 100000");
  expect_problem("cpu.quota", error, "1.5 CPUs for 2 cores", "CPUQuota=");
  EXPECT_NE(look("cpu.quota").fix_kubernetes.find("static"), std::string::npos);
}

TEST_F(audit_cpu, a_quota_between_cores_and_threads_is_only_warned_of) {
  for (const auto* cpu : {"cpu0", "cpu1"})
    write(std::string("sys/devices/system/cpu/") + cpu + "/topology/thread_siblings_list", "0-1");
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "100000 100000");
  expect_problem("cpu.quota", warning, "1 CPUs for 1 cores", "CPUQuota=");
}

TEST_F(audit_cpu, threads_of_a_core_are_noted_and_doubted_under_a_hypervisor) {
  expect_said("cpu.smt", unknown, "no SMT");
  write("sys/devices/system/cpu/smt/active", "0");
  expect_fine("cpu.smt");
  write("sys/devices/system/cpu/smt/active", "1");
  expect_problem("cpu.smt", info, "on: 2 CPUs on 2 cores", "smt/control");
  write("proc/cpuinfo", "flags\t: tsc constant_tsc nonstop_tsc hypervisor");
  expect_said("cpu.smt", info, "as the hypervisor claims");
  expect_said("machine.virtual", info, "under unknown");
}

TEST_F(audit_cpu, two_kinds_of_core_are_warned_of) {
  EXPECT_FALSE(is_asked("cpu.kinds"));
  write_cpus("cpu_capacity", "1024");
  expect_fine("cpu.kinds");
  write("sys/devices/system/cpu/cpu1/cpu_capacity", "512");
  expect_problem("cpu.kinds", warning, "1024 (CPUs 0), 512 (CPUs 1)", "taskset");
  write("sys/devices/cpu_core/cpus", "0");
  write("sys/devices/cpu_atom/cpus", "1");
  expect_problem("cpu.kinds", warning, "fast CPUs 0, slow CPUs 1", "taskset -c 0");
}

TEST_F(audit_cpu, isolated_cpus_out_of_reach_are_noted) {
  expect_fine("cpu.isolation");
  write("sys/devices/system/cpu/isolated", "1");
  expect_fine("cpu.isolation");
  write("sys/devices/system/cpu/isolated", "4-5");
  write("sys/devices/system/cpu/nohz_full", "4-5");
  expect_problem("cpu.isolation", info, "isolated CPUs 4-5, without tick 4-5", "taskset -c 4-5");
}

TEST_F(audit_cpu, mitigations_are_counted) {
  expect_said("cpu.mitigations", unknown, "no list");
  write("sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected");
  expect_fine("cpu.mitigations");
  write("sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines");
  write("sys/devices/system/cpu/vulnerabilities/mds", "Vulnerable: no microcode");
  expect_said("cpu.mitigations", info, "1 mitigated, 1 open, of 3");
  write("proc/cmdline", "quiet mitigations=off");
  expect_said("cpu.mitigations", info, "booted with mitigations=off");
}

TEST_F(audit_cpu, a_container_is_named) {
  expect_fine("machine.container");
  write(".dockerenv", "");
  expect_said("machine.container", info, "Docker");
}

}  // namespace
}  // namespace ridge::probe
