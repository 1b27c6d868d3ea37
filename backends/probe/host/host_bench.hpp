// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <ridge/host/topology.hpp>
#include <ridge/probe/prober.hpp>

#include "memory/memory_probe.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// What the probes of a host share: its topology, one thread and all threads, and arrays larger than the
// caches (longer ones from depth quick on). Threads and arrays are made when a probe first asks for them, and
// again where a request asks for another clock or number of threads. The calling thread is pinned from then
// on until the bench is destroyed.
class host_bench final {
 public:
  host_bench();
  ~host_bench();
  host_bench(const host_bench&) = delete;
  host_bench& operator=(const host_bench&) = delete;

  // Returns the topology of the whole process, also where the calling thread is pinned.
  [[nodiscard]] const host::topology& machine() const { return machine_; }
  // Returns a sampler of one thread, on the best core.
  [[nodiscard]] sampler& one(const probe::request& request);
  // Returns a sampler of as many threads as the request allows; `one` where that is one.
  [[nodiscard]] sampler& all(const probe::request& request);
  // Returns arrays near the threads of `sampler`: shared out among them; on a machine with several nodes
  // there are others near the first thread alone.
  [[nodiscard]] const probe_arrays& arrays(const probe::request& request, const sampler& sampler);

  // Returns the rows of probe(sampler) for one thread, and for all threads where there are more.
  template <class Probe>
  void each(const probe::request& request, Probe probe) {
    probe(one(request));
    if (threads(request) > 1) probe(all(request));
  }

 private:
  [[nodiscard]] int threads(const probe::request& request) const;
  void prepare(const probe::request& request);
  host::topology machine_;
  const measure::clock* clock_ = nullptr;
  std::optional<sampler> one_thread_{}, all_{};
  std::optional<probe_arrays> shared_{}, near_{};
  std::size_t array_bytes_ = 0;
};

}  // namespace ridge::backends::probe_host
