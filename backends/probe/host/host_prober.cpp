// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include <ridge/host/affinity.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/prober.hpp>

#include "fma_probe.hpp"
#include "memory_probe.hpp"
#include "storage_probe.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double storage_s = 0.25;

int most_threads(const host::topology& machine, int asked) {
  const int cores = std::max(1, static_cast<int>(machine.cores.size()));
  return asked == 0 ? cores : std::min(asked, cores);
}

void append(std::vector<model::ceiling>& rows, std::vector<model::ceiling> more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

host::topology read_process_topology() {
  const host::scoped_affinity wide(host::process_cpus());
  return host::read_topology();
}

// One thread alone, and all of them where there are more.
class crews final {
 public:
  crews(const measure::clock& clock, int threads) : one_(clock, 1) {
    if (threads > 1) all_.emplace(clock, threads);
  }
  [[nodiscard]] sampler& one() { return one_; }
  [[nodiscard]] sampler& all() { return all_ ? *all_ : one_; }
  template <class Probe>
  void each(Probe probe) {
    probe(one_);
    if (all_) probe(*all_);
  }

 private:
  sampler one_;
  std::optional<sampler> all_{};
};

// Arrays shared out among the threads, and on a machine with more nodes others near the first thread alone.
class placed_arrays final {
 public:
  placed_arrays(const host::topology& machine, crews& on) : shared_(array_bytes(machine)) {
    shared_.fill(on.all());
    if (machine.nodes.size() == 1) return;
    near_.emplace(array_bytes(machine));
    near_->fill(on.one());
  }
  [[nodiscard]] const probe_arrays& of(const sampler& s) const {
    return near_ && s.threads() == 1 ? *near_ : shared_;
  }

 private:
  probe_arrays shared_;
  std::optional<probe_arrays> near_{};
};

class prober final : public probe::prober {
 public:
  std::vector<model::ceiling> measure(const measure::clock& clock,
                                      const probe::probe_options& options) override {
    const auto begin = clock.now();
    const auto machine = read_process_topology();
    std::vector<model::ceiling> rows;
    if (!options.scratch.empty()) rows = probe_storage(options.scratch, clock, storage_s);
    crews on(clock, most_threads(machine, options.threads));
    on.each([&](sampler& s) { append(rows, probe_fma(s)); });
    const placed_arrays arrays(machine, on);
    on.each([&](sampler& s) { rows.push_back(probe_triad(s, arrays.of(s))); });
    for (const auto probe : {probe_copy, probe_read}) {
      const bool in_time = clock.seconds(clock.now() - begin) < options.budget_s;
      if (in_time) on.each([&](sampler& s) { rows.push_back(probe(s, arrays.of(s))); });
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<probe::prober> make() { return std::make_unique<prober>(); }

}  // namespace ridge::backends::probe_host
