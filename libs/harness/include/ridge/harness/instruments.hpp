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

// Reads the ceiling `id` once, in half a millisecond, on the team's threads (null: the calling thread).
// Returns its rate, or 0 where the reading was disturbed or no ceiling has that name.
using ceiling_gauge = std::function<double(std::string_view id, host::team* team)>;

// A GPU with its meters, all made by the process that measures on it. Meters may be null.
struct opened_gpu {
  std::unique_ptr<device::device> device{};
  std::unique_ptr<measure::energy_meter> energy{};
  std::unique_ptr<measure::gpu_meter> state{};
};

// A GPU under a tracer, which is made before it. `device` is null where the GPU cannot be traced; the tracer
// says why.
struct traced_gpu {
  std::unique_ptr<measure::gpu_tracer> tracer{};
  std::unique_ptr<device::device> device{};
};

struct progress_mark;
class edge_record;

// The devices, meters and facts of the machine that the composition root passes to a run. Pointers may be
// null where the machine offers nothing; none is owned.
struct instruments {
  device::device* device = nullptr;                     // where this family's variants run
  device::device* host = nullptr;                       // where oracles compute; null: `device`
  measure::interference_meter* interference = nullptr;  // what disturbs the measuring thread
  measure::counters* counters = nullptr;
  std::function<std::unique_ptr<measure::counters>()> open_counters{};  // for a process of its own
  measure::energy_meter* energy = nullptr;
  const model::peak* peak = nullptr;  // ceilings of this machine; null: shares of ceilings are left out
  ceiling_gauge gauge{};              // reads a ceiling between samples; empty: the stored ones are used
  measure::gpu_meter* gpu_state = nullptr;                     // state of the GPU that `device` is
  std::function<opened_gpu()> open_gpu{};                      // empty in a build without a GPU backend
  std::function<traced_gpu()> open_traced_gpu{};               // empty in a build without a GPU tracer
  std::function<std::vector<model::ceiling>()> measure_gpu{};  // ceilings of the GPU that open_gpu opened
  // Why a vendor library that variants need cannot be loaded, with what to do; empty where it can be, and
  // where the name is not known. Without this function only the variant's setup finds out.
  std::function<std::string(std::string_view library)> missing_library{};
  // A vendor library in words: its version and the kernels that it chose; empty where that is not known.
  std::function<std::string(std::string_view library)> library_in_words{};
  // Number of other processes that compute on the GPU; nothing where the driver does not tell.
  std::function<std::optional<std::size_t>()> other_gpu_processes{};
  std::vector<std::string>
      built_architectures{};  // architectures that this build holds device code for: "90a"; empty: not known
  // Is told the name and the seconds of each stage of a family when the stage is over; empty: nobody is. It
  // may not throw.
  std::function<void(std::string_view stage, double seconds)> stage_over{};
  double clock_resolution_s = 20e-9;
  double clock_cost_s = 20e-9;
  std::string scratch_folder{"/tmp"};  // for generated files
  progress_mark* progress = nullptr;   // where a family's process says what it does; null: nobody asks
  // What is known of variants at edge sizes (edge_record.hpp). Null: a run does not try edge sizes.
  edge_record* edges = nullptr;
};

}  // namespace ridge::harness
