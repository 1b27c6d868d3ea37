// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Returns "cpu.latency.l1" ... "cpu.latency.memory": seconds from one load to the next that depends on it, on
// huge pages, by thread 0 alone; with `thorough` also memory on small pages (".memory.small_pages").
[[nodiscard]] std::vector<model::ceiling> probe_latency(sampler& sampler, const host::topology& machine,
                                                        bool thorough);

// Returns "cpu.sweep.latency": the same over all sizes from 8 KiB to `most`; the value is that of the
// largest.
[[nodiscard]] model::ceiling probe_latency_sweep(sampler& sampler, std::size_t most);

// Returns "cpu.parallel_loads": independent loads from memory per second by one core, at the best number of
// chases; the note says how many were in flight by Little's law.
[[nodiscard]] model::ceiling probe_parallel_loads(sampler& sampler, std::size_t bytes);

// Returns "cpu.latency_loaded": the latency of memory while the other threads read at their highest rate; the
// series has lower rates. Needs two threads or more.
[[nodiscard]] model::ceiling probe_loaded_latency(sampler& sampler, std::size_t bytes);

// Returns "cpu.tlb.small_pages": how much longer a load takes when its page is none of the last 32768,
// compared with the same number of lines close together; the series is over numbers of pages.
[[nodiscard]] model::ceiling probe_tlb(sampler& sampler);

// Returns "cpu.page_fault.small" and "cpu.page_fault.huge": the time of the first touch of a page, zeroing
// included.
[[nodiscard]] std::vector<model::ceiling> probe_page_faults(sampler& sampler);

// Returns the size of a region larger than the caches, for chases: 256 MiB, or an eighth of the usable
// memory.
[[nodiscard]] std::size_t chase_bytes(const host::topology& machine);

}  // namespace ridge::backends::probe_host
