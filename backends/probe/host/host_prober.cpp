// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/base/error.hpp>
#include <ridge/probe/prober.hpp>

#include "host_bench.hpp"
#include "probe_lists.hpp"
#include "storage/storage_probe.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::peak_probe, probe::request;

constexpr double storage_s = 0.25;

peak_probe storage() {
  return {"storage.read", "storage, read", "bounds how fast a loader can feed from this folder",
          depth::essential, [](const request& request) {
            if (request.scratch.empty()) throw unavailable("a scratch folder", "name one with --scratch");
            return probe_storage(request.scratch, request.clock, storage_s);
          }};
}

class prober final : public probe::prober {
 public:
  prober() {
    probes_.push_back(storage());
    add_arithmetic_probes(probes_, bench_);
    add_memory_probes(probes_, bench_);
    add_cache_probes(probes_, bench_);
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
