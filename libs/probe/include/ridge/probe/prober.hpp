// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <ridge/measure/clock.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::probe {

struct probe_options {
  std::filesystem::path scratch{};  // folder on the storage to be read from; empty: storage is not probed
  double budget_s = 0.9;            // rows beyond the compulsory ones are left out once this has passed
  int threads = 0;                  // the most to use; 0: one per physical core
};

// Measures ceilings of this machine: each is the median of the best variant's samples, with the variant
// named. The calling thread works (and is pinned meanwhile); nothing else of the process should.
class prober {
 public:
  virtual ~prober() = default;
  // One row per id and number of threads; on a host always "cpu.fma.fp32", "cpu.triad" and, with a scratch
  // folder, "storage.read". Throws io_failure where the scratch folder cannot be written.
  [[nodiscard]] virtual std::vector<model::ceiling> measure(const measure::clock& clock,
                                                            const probe_options& options) = 0;
};

}  // namespace ridge::probe
