// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <ridge/measure/clock.hpp>
#include <ridge/measure/gpu_meter.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::probe {

// How much is measured: what shares of ceilings need (`ridge run`, one second), a first look, everything that
// matters, and all rows.
enum class depth : std::uint8_t { essential, quick, standard, deep };

// Everything that a probe is given.
struct request {
  const measure::clock& clock;
  measure::gpu_meter* gpu_state = nullptr;  // reads the state of the GPU that is probed; null: unknown
  std::filesystem::path scratch{};          // folder on the storage to be measured; empty: storage is not
  int threads = 0;                          // greatest number of threads; 0: one per physical core
  probe::depth depth = probe::depth::standard;
  // Adds to a row what its probe does not know (the value that the vendor states), before the row is judged;
  // may be empty.
  std::function<void(model::ceiling&)> complete{};
  std::function<bool()> over{};  // returns whether no further probe may start; may be empty
};

// Measures one quantity: one row, or several that result from the same work.
struct peak_probe {
  std::string id{};     // id of its row, or what the ids of its rows start with, before a dot
  std::string title{};  // "read bandwidth of memory": heads its rows
  std::string means{};  // one line: what the figure means, or what it bounds
  depth least_depth{depth::standard};
  // Returns the rows in the order in which they are printed. The calling thread works and may be pinned
  // meanwhile; no other thread of the process should work. Throws unavailable where this machine cannot be
  // asked, io_failure where the scratch folder cannot be written, failure where a kernel computed a wrong
  // value.
  std::function<std::vector<model::ceiling>(const request&)> measure{};
};

// A family of probes of this machine. They may share arrays and threads, so they are used one at a time.
class prober {
 public:
  virtual ~prober() = default;
  // Returns the probes in the order in which they measure. A host always has "cpu.fma.fp32" and "cpu.triad"
  // from `essential` on. Throws unavailable where there is no such device.
  [[nodiscard]] virtual const std::vector<peak_probe>& probes() = 0;
};

}  // namespace ridge::probe
