// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "host_bench.hpp"
#include "os/cpu_pair.hpp"
#include "probe_lists.hpp"

// What the probes of the operating system measure: each gives its rows, on the CPU(s) named, the calling
// thread pinned meanwhile.
namespace ridge::backends::probe_host {

// Calls into the kernel and what stands for one (call_probes.cpp).
[[nodiscard]] rows probe_syscall(const probe::request& what);
[[nodiscard]] rows probe_clocks(const probe::request& what);
[[nodiscard]] rows probe_yield(const probe::request& what);
[[nodiscard]] rows probe_signal(const probe::request& what);

// One thread waking another (wake_probes.cpp, switch_probes.cpp).
[[nodiscard]] rows probe_wake(const probe::request& what, const std::vector<cpu_pair>& pairs);
[[nodiscard]] rows probe_switch(const probe::request& what, const std::vector<cpu_pair>& pairs);

// Threads and processes (process_probes.cpp).
[[nodiscard]] rows probe_thread(const probe::request& what);
[[nodiscard]] rows probe_fork(const probe::request& what);
[[nodiscard]] rows probe_exec(const probe::request& what);

// Mappings, page faults and allocation (page_probes.cpp, malloc_probes.cpp).
[[nodiscard]] rows probe_mmap(const probe::request& what);
[[nodiscard]] rows probe_mprotect(const probe::request& what);
[[nodiscard]] rows probe_fault(const probe::request& what);
[[nodiscard]] rows probe_huge_fault(const probe::request& what);
[[nodiscard]] rows probe_malloc(const probe::request& what);

// Sleeping, and being kept from working (timer_probes.cpp).
[[nodiscard]] rows probe_sleep(const probe::request& what);
[[nodiscard]] rows probe_noise(const probe::request& what);

}  // namespace ridge::backends::probe_host
