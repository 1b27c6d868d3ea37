// SPDX-License-Identifier: Apache-2.0
#include "session/laboratory.hpp"

#include <filesystem>

#include <ridge/app/backends.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/device/host_options.hpp>
#include <ridge/host/gpu_models.hpp>
#include <ridge/probe/gauge.hpp>
#include <ridge/probe/measure_peaks.hpp>
#include <ridge/probe/prober.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "session/requirements_here.hpp"
#include "session/run_header.hpp"

namespace ridge::app {
namespace {

// The longest time that a launch waits on a held queue. A body that itself waits for the GPU pays this once,
// when its first sample is tried.
constexpr double hold_time_out_s = 0.5;

template <class Interface>
using maker = std::unique_ptr<Interface>();
using host_device_maker = std::unique_ptr<device::device>(device::host_options);
using cuda_device_maker = std::unique_ptr<device::device>(device::cuda_options);
using gauge_maker = std::unique_ptr<probe::gauge>(const measure::clock&);

template <class Interface>
std::unique_ptr<Interface> measured_by(std::string_view backend) {
  return find_factory<maker<Interface>>(measure_backends(), backend)();
}

harness::opened_gpu open_gpu() {
  if (host::gpu_models().empty()) throw failure({"no NVIDIA driver shows a GPU here", ""});
  return {.device = open_cuda_device(),
          .energy = measured_by<measure::energy_meter>("nvml"),
          .state = measured_by<measure::gpu_meter>("nvml")};
}

harness::traced_gpu open_traced_gpu() {
  harness::traced_gpu gpu{.tracer = measured_by<measure::gpu_tracer>("cupti")};
  if (gpu.tracer->unavailable_because().empty()) gpu.device = open_cuda_device();
  return gpu;
}

device::host_options on_clock(const measure::clock& clock) {
  constexpr std::int64_t many = 1'000'000'000;
  return {.now = [&clock] { return static_cast<std::uint64_t>(clock.now()); },
          .seconds_per_tick = clock.seconds(many) / static_cast<double>(many)};
}

std::vector<model::ceiling> essential_ceilings(std::string_view backend, const measure::clock& clock,
                                               const std::filesystem::path& scratch = {}) {
  const auto prober = find_factory<maker<probe::prober>>(probe_backends(), backend)();
  return probe::measure_peaks(*prober,
                              {.clock = clock, .scratch = scratch, .depth = probe::depth::essential});
}

}  // namespace

std::unique_ptr<device::device> open_cuda_device() {
  const auto make = find_factory<cuda_device_maker>(device_backends(), "cuda");
  if (make == nullptr)
    throw unavailable("CUDA in this build of ridge", "build it where a CUDA toolkit is (RIDGE_CUDA)");
  return make({.hold_time_out_s = hold_time_out_s});
}

std::unique_ptr<measure::clock> best_clock() {
  try {
    return measured_by<measure::clock>("tsc");
  } catch (const unavailable&) {
    return measured_by<measure::clock>("steady_clock");
  }
}

laboratory::laboratory(const std::function<void(harness::instruments&)>& equip)
    : clock_(best_clock()),
      device_(find_factory<host_device_maker>(device_backends(), "host")(on_clock(*clock_))),
      interference_(measured_by<measure::interference_meter>("interference")),
      counters_(measured_by<measure::counters>("perf_event")),
      energy_(measured_by<measure::energy_meter>("rapl")) {
  instruments_.device = device_.get();
  if (find_factory<cuda_device_maker>(device_backends(), "cuda") != nullptr) {
    instruments_.open_gpu = open_gpu;
    instruments_.measure_gpu = [this] { return essential_ceilings("cuda", *clock_); };
  }
  if (find_factory<maker<measure::gpu_tracer>>(measure_backends(), "cupti") != nullptr)
    instruments_.open_traced_gpu = open_traced_gpu;
  answer_requirements(instruments_);
  instruments_.interference = interference_.get();
  instruments_.counters = counters_.get();
  instruments_.open_counters = [] { return measured_by<measure::counters>("perf_event"); };
  instruments_.energy = energy_.get();
  instruments_.clock_resolution_s = clock_->resolution_s();
  instruments_.clock_cost_s = clock_->read_cost_s();
  instruments_.scratch_folder = temporary_folder().string();
  if (equip) equip(instruments_);
}

laboratory::~laboratory() = default;

const model::peak& laboratory::load_ceilings() {
  if (!peak_) peak_ = cached_ceilings();
  if (!peak_) {
    peak_ = model::peak{.measured_at = now_utc()};
    peak_->ceilings = essential_ceilings("host", *clock_, ceilings_folder());
    cache_ceilings(*peak_);
    if (auto with_kept = cached_ceilings()) peak_ = std::move(with_kept);
  }
  instruments_.peak = &*peak_;
  if (!gauge_) gauge_ = find_factory<gauge_maker>(probe_backends(), "host")(*clock_);
  instruments_.gauge = [this](std::string_view id, host::team* team) { return gauge_->read(id, team); };
  return *peak_;
}

}  // namespace ridge::app
