// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <ridge/host/topology.hpp>
#include <ridge/probe/prober.hpp>

#include "memory/memory_probe.hpp"
#include "sampler.hpp"

namespace ridge::backends::probe_host {

// What the probes of a host share: its topology, one thread and all of them, and arrays beyond the caches
// (longer ones from depth quick on). Threads and arrays are made when a probe first asks for them, and again
// where a request asks for another clock or number of threads. The calling thread is pinned from then on
// until the bench ends.
class host_bench final {
 public:
  host_bench();
  ~host_bench();
  host_bench(const host_bench&) = delete;
  host_bench& operator=(const host_bench&) = delete;

  // Of the whole process, also where the calling thread is pinned.
  [[nodiscard]] const host::topology& machine() const { return machine_; }
  // One thread alone, on the best core.
  [[nodiscard]] sampler& one(const probe::request& request);
  // As many as the request allows; `one` where that is one.
  [[nodiscard]] sampler& all(const probe::request& request);
  // Near the threads of `sampler`: shared out among them, and on a machine with more nodes others near the
  // first one alone.
  [[nodiscard]] const probe_arrays& arrays(const probe::request& request, const sampler& sampler);

  // probe(sampler) for one thread, and for all of them where there are more.
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
  std::optional<sampler> one_{}, all_{};
  std::optional<probe_arrays> shared_{}, near_{};
  std::size_t array_bytes_ = 0;
};

}  // namespace ridge::backends::probe_host
