// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/device/device.hpp>
#include <ridge/host/team.hpp>
#include <ridge/measure/counters.hpp>
#include <ridge/measure/energy_meter.hpp>
#include <ridge/measure/gpu_meter.hpp>
#include <ridge/measure/gpu_tracer.hpp>
#include <ridge/measure/interference.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::harness {

// Reads the ceiling `id` once, in half a millisecond, on the team's threads (null: the calling one); its
// rate, or 0 where it was disturbed or there is none of that name.
using ceiling_gauge = std::function<double(std::string_view id, host::team* on)>;

// A GPU with the meters that see it; all made by the process that measures on it. Meters may be null.
struct opened_gpu {
  std::unique_ptr<device::device> where{};
  std::unique_ptr<measure::energy_meter> energy{};
  std::unique_ptr<measure::gpu_meter> state{};
};

// The same under a tracer, which is made first; null where there is none, and the tracer says why.
struct traced_gpu {
  std::unique_ptr<measure::gpu_tracer> tracer{};
  std::unique_ptr<device::device> where{};
};

// What the composition root gives a run. Pointers may be null where the machine offers nothing; none is
// owned.
struct instruments {
  device::device* where = nullptr;                      // where this family's variants run
  device::device* host = nullptr;                       // where oracles compute; null: `where`
  measure::interference_meter* interference = nullptr;  // of the measuring thread
  measure::counters* counters = nullptr;
  measure::energy_meter* energy = nullptr;
  const model::peak* peak = nullptr;  // ceilings of this machine; empty: shares of ceilings are left out
  ceiling_gauge gauge{};              // reads one of them between samples; empty: the stored ones hold
  measure::gpu_meter* gpu_state = nullptr;                     // of the GPU that `where` is
  std::function<opened_gpu()> open_gpu{};                      // empty in a build without a GPU backend
  std::function<traced_gpu()> open_traced_gpu{};               // empty in a build without a tracer of it
  std::function<std::vector<model::ceiling>()> measure_gpu{};  // ceilings of the GPU that open_gpu opened
  // Why a vendor library that variants need cannot be loaded, with what to do; empty text where it can, and
  // where the name is not known. An empty function: not asked; a variant's setup says so itself.
  std::function<std::string(std::string_view library)> missing_library{};
  // Number of other processes that compute on the GPU; nothing where the driver does not tell.
  std::function<std::optional<std::size_t>()> other_gpu_processes{};
  std::vector<std::string>
      built_architectures{};  // of the device code in this build: "90a"; empty: not known
  double clock_resolution_s = 20e-9;
  double clock_cost_s = 20e-9;
  std::string scratch_folder{"/tmp"};  // for generated files
};

}  // namespace ridge::harness
