// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <ridge/host/affinity.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/prober.hpp>

#include "fma_probe.hpp"
#include "memory_probe.hpp"
#include "storage_probe.hpp"

namespace ridge::backends::probe_host {
namespace {

int most_threads(const host::topology& machine, int asked) {
  const int cores = std::max(1, static_cast<int>(machine.cores.size()));
  return asked == 0 ? cores : std::min(asked, cores);
}

void append(std::vector<model::ceiling>& rows, std::vector<model::ceiling> more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

class prober final : public probe::prober {
 public:
  std::vector<model::ceiling> measure(const measure::clock& clock,
                                      const probe::probe_options& options) override {
    const auto begin = clock.now();
    const auto in_time = [&](double share) {
      return clock.seconds(clock.now() - begin) < share * options.budget_s;
    };
    const auto machine = read_process_topology();
    const int threads = most_threads(machine, options.threads);
    std::vector<model::ceiling> rows;
    {
      sampler all(clock, threads);
      const probe_arrays arrays(array_bytes(machine));
      arrays.fill(all);
      append(rows, probe_fma(all));
      append(rows, probe_memory(all, arrays));
      if (threads > 1 && in_time(0.6)) append(rows, probe_one(clock, arrays));
    }
    if (!options.scratch.empty() && in_time(1)) append(rows, probe_storage(options.scratch, clock, 0.25));
    return rows;
  }

 private:
  static host::topology read_process_topology() {
    const host::scoped_affinity wide(host::process_cpus());
    return host::read_topology();
  }
  static std::vector<model::ceiling> probe_one(const measure::clock& clock, const probe_arrays& arrays) {
    sampler one(clock, 1);
    auto rows = probe_fma(one);
    append(rows, probe_memory(one, arrays));
    return rows;
  }
};

}  // namespace

std::unique_ptr<probe::prober> make() { return std::make_unique<prober>(); }

}  // namespace ridge::backends::probe_host
