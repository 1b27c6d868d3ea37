// SPDX-License-Identifier: Apache-2.0
#include "audited.hpp"

namespace ridge::probe {
namespace {

using audit_contention = audited;

TEST_F(audit_contention, load_counts_for_each_cpu_and_only_while_somebody_runs) {
  expect_said("contention.load", unknown, "procfs");
  write("proc/loadavg", "0.30 0.1 0.1 3/100 4711");
  expect_fine("contention.load");
  write("proc/loadavg", "1.90 0.1 0.1 3/100 4711");
  expect_problem("contention.load", warning, "1.90 over the last minute on 2 CPUs, 2 running now", "top");
  write("proc/loadavg", "1.90 0.1 0.1 1/100 4711");
  expect_said("contention.load", info, "0 running now");
}

TEST_F(audit_contention, pressure_of_any_kind_is_warned_of) {
  expect_said("contention.pressure", unknown, "psi=1");
  write("proc/pressure/cpu", "some avg10=1.50 avg60=0.00 avg300=0.00 total=1");
  write("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1");
  expect_said("contention.pressure", ok, "cpu 1.5 %, io 0 %");
  write("proc/pressure/io",
        "some avg10=7.25 avg60=0.00 avg300=0.00 total=1\nfull avg10=7.00 avg60=0 avg300=0 total=1");
  expect_problem("contention.pressure", warning, "io 7.25 %", "iotop");
}

TEST_F(audit_contention, stolen_time_is_asked_of_guests_that_were_watched) {
  given.recent = activity{.seconds = 0.25, .steal_share = 0.02};
  EXPECT_FALSE(is_asked("contention.steal"));
  write("proc/cpuinfo", "flags\t: tsc constant_tsc nonstop_tsc hypervisor");
  expect_problem("contention.steal", warning, "2.0 % of 0.25 s", "dedicated");
  given.recent->steal_share = 0.001;
  expect_fine("contention.steal");
}

TEST_F(audit_contention, a_throttled_run_is_wrong) {
  given.recent = activity{.seconds = 0.25};
  EXPECT_FALSE(is_asked("contention.throttling"));
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.stat", "nr_throttled 4");
  expect_fine("contention.throttling");
  given.recent->throttled_periods = 2;
  expect_problem("contention.throttling", error, "2 periods", "CPUQuota=");
}

TEST_F(audit_contention, a_storm_of_interrupts_is_named) {
  EXPECT_FALSE(is_asked("contention.interrupts"));
  given.recent = activity{.seconds = 0.25, .interrupts_per_s = 900, .busiest_interrupt = "24 nvme0q1"};
  expect_fine("contention.interrupts");
  given.recent->interrupts_per_s = 5000;
  expect_problem("contention.interrupts", warning, "5000/s on these CPUs, most from 24 nvme0q1",
                 "/proc/irq/24/");
}

TEST_F(audit_contention, interrupt_balancing_and_receive_steering_are_noted) {
  expect_fine("contention.irqbalance");
  expect_fine("contention.steering");
  write("run/irqbalance/irqbalance612.sock", "");
  expect_problem("contention.irqbalance", info, "irqbalance runs", "IRQBALANCE_BANNED_CPULIST=0-1");
  write("sys/class/net/eth0/queues/rx-0/rps_cpus", "00000000,00000000");
  expect_fine("contention.steering");
  write("sys/class/net/eth0/queues/rx-0/rps_cpus", "00000000,00000003");
  expect_problem("contention.steering", info, "eth0: CPU mask 00000000,00000003", "rps_cpus");
}

TEST_F(audit_contention, counters_need_a_unit_and_leave) {
  expect_said("counters.unit", unknown, "no event sources");
  expect_said("counters.permission", unknown, "procfs");
  write("sys/bus/event_source/devices/software/type", "1");
  expect_problem("counters.unit", info, "no hardware counters: software", "PMU");
  write("sys/bus/event_source/devices/cpu/type", "4");
  expect_fine("counters.unit");
  write("proc/sys/kernel/perf_event_paranoid", "2");
  expect_fine("counters.permission");
  write("proc/sys/kernel/perf_event_paranoid", "4");
  expect_problem("counters.permission", warning, "= 4", "perf_event_paranoid=2");
  write("proc/self/status", "Cpus_allowed_list:\t0-1\nCapEff:\t0000004000000000");
  expect_fine("counters.permission");
}

TEST_F(audit_contention, a_filter_hidden_addresses_and_closed_gpu_counters_are_noted) {
  expect_said("counters.filter", unknown, "procfs");
  write("proc/self/status", "Cpus_allowed_list:\t0-1\nSeccomp:\t0");
  expect_fine("counters.filter");
  write("proc/self/status", "Cpus_allowed_list:\t0-1\nSeccomp:\t2\nCapEff:\t0");
  expect_said("counters.filter", info, "seccomp mode 2");
  EXPECT_FALSE(is_asked("counters.kernel_addresses") || is_asked("counters.gpu"));
  write("proc/sys/kernel/kptr_restrict", "0");
  expect_fine("counters.kernel_addresses");
  write("proc/sys/kernel/kptr_restrict", "1");
  expect_problem("counters.kernel_addresses", info, "= 1", "kptr_restrict=0");
  write("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0");
  expect_fine("counters.gpu");
  write("proc/driver/nvidia/params", "RmProfilingAdminOnly: 1");
  expect_problem("counters.gpu", info, "administrators", "NVreg_RestrictProfilingToAdminUsers=0");
}

}  // namespace
}  // namespace ridge::probe
