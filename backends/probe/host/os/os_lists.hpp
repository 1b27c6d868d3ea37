// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "host_bench.hpp"
#include "os/cpu_pair.hpp"
#include "probe_lists.hpp"

// The probes of the operating system: each returns its rows, measured on the CPUs that are named while the
// calling thread is pinned.
namespace ridge::backends::probe_host {

// Measure calls into the kernel and their replacements (call_probes.cpp).
[[nodiscard]] rows probe_syscall(const probe::request& request);
[[nodiscard]] rows probe_clocks(const probe::request& request);
[[nodiscard]] rows probe_yield(const probe::request& request);
[[nodiscard]] rows probe_signal(const probe::request& request);

// Measure how one thread wakes another (wake_probes.cpp, switch_probes.cpp).
[[nodiscard]] rows probe_wake(const probe::request& request, const std::vector<cpu_pair>& pairs);
[[nodiscard]] rows probe_switch(const probe::request& request, const std::vector<cpu_pair>& pairs);

// Measure threads and processes (process_probes.cpp).
[[nodiscard]] rows probe_thread(const probe::request& request);
[[nodiscard]] rows probe_fork(const probe::request& request);
[[nodiscard]] rows probe_exec(const probe::request& request);

// Measure mappings, page faults and allocation (page_probes.cpp, malloc_probes.cpp).
[[nodiscard]] rows probe_mmap(const probe::request& request);
[[nodiscard]] rows probe_mprotect(const probe::request& request);
[[nodiscard]] rows probe_fault(const probe::request& request);
[[nodiscard]] rows probe_huge_fault(const probe::request& request);
[[nodiscard]] rows probe_malloc(const probe::request& request);

// Measure sleeping, and interruptions of work (timer_probes.cpp).
[[nodiscard]] rows probe_sleep(const probe::request& request);
[[nodiscard]] rows probe_noise(const probe::request& request);

}  // namespace ridge::backends::probe_host
