// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/base/error.hpp>
#include <ridge/probe/prober.hpp>

#include "fma_probe.hpp"
#include "host_bench.hpp"
#include "memory_probe.hpp"
#include "probe_lists.hpp"
#include "storage_probe.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::peak_probe, probe::request;
using rows = std::vector<model::ceiling>;

constexpr double storage_s = 0.25;

peak_probe storage() {
  return {"storage.read", "storage, read", "bounds how fast a loader can feed from this folder",
          depth::essential, [](const request& what) {
            if (what.scratch.empty()) throw unavailable("a scratch folder", "name one with --scratch");
            return probe_storage(what.scratch, what.clock, storage_s);
          }};
}

peak_probe multiply_adds(host_bench& on) {
  return {"cpu.fma.fp32", "fp32 multiply-adds", "no fp32 code on these cores does more", depth::essential,
          [&on](const request& what) {
            rows found;
            on.each(what, [&](sampler& s) {
              for (auto& row : probe_fma(s)) found.push_back(std::move(row));
            });
            return found;
          }};
}

using array_probe = model::ceiling (*)(sampler&, const probe_arrays&);

peak_probe over_memory(host_bench& on, std::string id, std::string title, std::string means,
                       array_probe measure) {
  return {std::move(id), std::move(title), std::move(means), depth::essential,
          [&on, measure](const request& what) {
            rows found;
            on.each(what, [&](sampler& s) { found.push_back(measure(s, on.arrays(what, s))); });
            return found;
          }};
}

class prober final : public probe::prober {
 public:
  prober() {
    probes_.push_back(storage());
    probes_.push_back(multiply_adds(bench_));
    probes_.push_back(over_memory(bench_, "cpu.triad", "memory, triad",
                                  "bounds code that streams two arrays into a third", probe_triad));
    probes_.push_back(over_memory(bench_, "cpu.copy", "memory, copy",
                                  "bounds memcpy and everything that moves data once", probe_copy));
    probes_.push_back(over_memory(bench_, "cpu.read", "memory, read",
                                  "bounds scans, sums and products with a vector", probe_read));
    add_os_probes(probes_, bench_);
    add_storage_probes(probes_);
    add_loopback_probes(probes_, bench_);
  }
  const std::vector<peak_probe>& probes() override { return probes_; }

 private:
  host_bench bench_{};
  std::vector<peak_probe> probes_{};
};

}  // namespace

std::unique_ptr<probe::prober> make() { return std::make_unique<prober>(); }

}  // namespace ridge::backends::probe_host
