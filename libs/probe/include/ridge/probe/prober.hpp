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

// How much is measured: what shares of ceilings need (`ridge run`, a second), a first look, everything that
// matters, and all there is.
enum class depth : std::uint8_t { essential, quick, standard, deep };

// What a probe is given.
struct request {
  const measure::clock& clock;
  measure::gpu_meter* gpu_state = nullptr;  // of the GPU that is probed; null: not known
  std::filesystem::path scratch{};          // folder on the storage to be measured; empty: storage is not
  int threads = 0;                          // the most to use; 0: one per physical core
  depth how = depth::standard;
  // Adds to a row what its probe does not know (what the vendor states), before it is judged; may be empty.
  std::function<void(model::ceiling&)> complete{};
  std::function<bool()> over{};  // whether no further probe is to begin; may be empty
};

// Measures one thing: one row, or some that come of the same work.
struct peak_probe {
  std::string id{};     // of its rows, or what they begin with before a dot
  std::string title{};  // "read bandwidth of memory": heads its rows
  std::string means{};  // one line: what the figure tells, or bounds
  depth from{depth::standard};
  // Rows in the order to print. The calling thread works, and may be pinned meanwhile; nothing else of the
  // process should. Throws unavailable where this machine cannot be asked, io_failure where the scratch
  // folder cannot be written, failure where a kernel computed a wrong value.
  std::function<std::vector<model::ceiling>(const request&)> measure{};
};

// A family of probes of this machine, which may share arrays and threads: they are asked one at a time.
class prober {
 public:
  virtual ~prober() = default;
  // In the order to measure. On a host always "cpu.fma.fp32" and "cpu.triad" from `essential` on. Throws
  // unavailable where there is no such device.
  [[nodiscard]] virtual const std::vector<peak_probe>& probes() = 0;
};

}  // namespace ridge::probe
