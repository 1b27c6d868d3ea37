// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "probe_lists.hpp"

namespace ridge::backends::probe_cuda {
namespace {

class prober final : public probe::prober {
 public:
  const std::vector<probe::peak_probe>& probes() override {
    if (!bench_) {
      bench_.emplace();
      add_graph_probes(probes_, *bench_);
      add_launch_probes(probes_, *bench_);
      add_dram_probes(probes_, *bench_);
      add_cache_probes(probes_, *bench_);
      add_latency_probes(probes_, *bench_);
      add_arithmetic_probes(probes_, *bench_);
      add_matrix_probes(probes_, *bench_);
      add_library_probes(probes_, *bench_);
      add_shared_memory_probes(probes_, *bench_);
      add_atomic_probes(probes_, *bench_);
      add_barrier_probes(probes_, *bench_);
      add_cluster_probes(probes_, *bench_);
      add_bulk_copy_probes(probes_, *bench_);
      add_copy_probes(probes_, *bench_);
      add_overlap_probes(probes_, *bench_);
      add_further_launch_probes(probes_, *bench_);
      add_event_probes(probes_, *bench_);
      add_allocation_probes(probes_, *bench_);
      add_peer_probes(probes_, *bench_);
    }
    return probes_;
  }

 private:
  std::optional<gpu_bench> bench_{};
  probe_list probes_{};
};

}  // namespace

// A prober for the ceilings of device 0; depth `essential` takes about a second. Ceilings of matrix products
// need code for the device's matrix units in this build. probes() throws unavailable where there is no GPU.
std::unique_ptr<probe::prober> make() { return std::make_unique<prober>(); }

}  // namespace ridge::backends::probe_cuda
