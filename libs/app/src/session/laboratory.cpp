// SPDX-License-Identifier: Apache-2.0
#include "session/laboratory.hpp"

#include <filesystem>

#include <ridge/base/error.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/device/host_options.hpp>
#include <ridge/probe/gauge.hpp>
#include <ridge/probe/measure_peaks.hpp>
#include <ridge/probe/prober.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "session/requirements_here.hpp"
#include "session/run_header.hpp"

namespace ridge::backends {
namespace device_host {
std::unique_ptr<device::device> make(device::host_options how);
}  // namespace device_host
#if RIDGE_WITH_CUDA
namespace device_cuda {
std::unique_ptr<device::device> make(device::cuda_options how);
}  // namespace device_cuda
namespace measure_nvml {
std::unique_ptr<measure::energy_meter> make();
std::unique_ptr<measure::gpu_meter> make_gpu_meter();
}  // namespace measure_nvml
#if RIDGE_WITH_CUPTI
namespace measure_cupti {
std::unique_ptr<measure::gpu_tracer> make();
}  // namespace measure_cupti
#endif
namespace probe_cuda {
std::unique_ptr<probe::prober> make();
}  // namespace probe_cuda
#endif
namespace measure_interference {
std::unique_ptr<measure::interference_meter> make();
}  // namespace measure_interference
namespace measure_perf_event {
std::unique_ptr<measure::counters> make();
}  // namespace measure_perf_event
namespace measure_rapl {
std::unique_ptr<measure::energy_meter> make();
}  // namespace measure_rapl
namespace measure_steady_clock {
std::unique_ptr<measure::clock> make();
}  // namespace measure_steady_clock
namespace measure_tsc {
std::unique_ptr<measure::clock> make();
}  // namespace measure_tsc
namespace probe_host {
std::unique_ptr<probe::prober> make();
std::unique_ptr<probe::gauge> make_gauge(const measure::clock& clock);
}  // namespace probe_host
}  // namespace ridge::backends

namespace ridge::app {
namespace {

#if RIDGE_WITH_CUDA
// A body that waits for the GPU itself pays this once, when its first sample is tried behind a stop.
constexpr double hold_time_out_s = 0.5;
#if RIDGE_WITH_CUPTI
harness::traced_gpu open_traced_gpu() {
  harness::traced_gpu gpu{.tracer = backends::measure_cupti::make()};
  if (gpu.tracer->unavailable_because().empty())
    gpu.where = backends::device_cuda::make({.hold_time_out_s = hold_time_out_s});
  return gpu;
}
#endif
#endif

device::host_options on_clock(const measure::clock& clock) {
  constexpr std::int64_t many = 1'000'000'000;
  return {.now = [&clock] { return static_cast<std::uint64_t>(clock.now()); },
          .seconds_per_tick = clock.seconds(many) / static_cast<double>(many)};
}

std::vector<model::ceiling> essential_ceilings(probe::prober& with, const measure::clock& clock,
                                               const std::filesystem::path& scratch = {}) {
  return probe::measure_peaks(with, {.clock = clock, .scratch = scratch, .how = probe::depth::essential});
}

}  // namespace

std::unique_ptr<measure::clock> best_clock() {
  try {
    return backends::measure_tsc::make();
  } catch (const unavailable&) {
    return backends::measure_steady_clock::make();
  }
}

laboratory::laboratory()
    : clock_(best_clock()),
      device_(backends::device_host::make(on_clock(*clock_))),
      interference_(backends::measure_interference::make()),
      counters_(backends::measure_perf_event::make()),
      energy_(backends::measure_rapl::make()) {
  instruments_.where = device_.get();
#if RIDGE_WITH_CUDA
  instruments_.open_gpu = [] {
    return harness::opened_gpu{.where = backends::device_cuda::make({.hold_time_out_s = hold_time_out_s}),
                               .energy = backends::measure_nvml::make(),
                               .state = backends::measure_nvml::make_gpu_meter()};
  };
#if RIDGE_WITH_CUPTI
  instruments_.open_traced_gpu = open_traced_gpu;
#endif
  instruments_.measure_gpu = [this] { return essential_ceilings(*backends::probe_cuda::make(), *clock_); };
#endif
  answer_requirements(instruments_);
  instruments_.interference = interference_.get();
  instruments_.counters = counters_.get();
  instruments_.energy = energy_.get();
  instruments_.clock_resolution_s = clock_->resolution_s();
  instruments_.clock_cost_s = clock_->read_cost_s();
  instruments_.scratch_folder = std::filesystem::temp_directory_path().string();
}

laboratory::~laboratory() = default;

const model::peak& laboratory::load_ceilings() {
  if (!peak_) peak_ = cached_ceilings();
  if (!peak_) {
    peak_ = model::peak{.measured_at = now_utc()};
    peak_->ceilings = essential_ceilings(*backends::probe_host::make(), *clock_, ceilings_folder());
    cache_ceilings(*peak_);
    if (auto with_kept = cached_ceilings()) peak_ = std::move(with_kept);
  }
  instruments_.peak = &*peak_;
  if (!gauge_) gauge_ = backends::probe_host::make_gauge(*clock_);
  instruments_.gauge = [this](std::string_view id, host::team* on) { return gauge_->read(id, on); };
  return *peak_;
}

}  // namespace ridge::app
