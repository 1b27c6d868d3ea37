// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/device/cuda_options.hpp>
#include <ridge/harness/gpu_families.hpp>
#include <ridge/harness/run_all.hpp>
#include <ridge/host/gpu_models.hpp>

#include "cuda/cuda_cheats.hpp"
#include "judge.hpp"
#include "laboratory.hpp"

namespace ridge::backends::device_cuda {
std::unique_ptr<device::device> make(device::cuda_options options);
}  // namespace ridge::backends::device_cuda
namespace ridge::backends::measure_nvml {
std::unique_ptr<measure::gpu_meter> make_gpu_meter();
}  // namespace ridge::backends::measure_nvml
#if RIDGE_WITH_CUPTI
namespace ridge::backends::measure_cupti {
std::unique_ptr<measure::gpu_tracer> make();
}  // namespace ridge::backends::measure_cupti
#endif

namespace ridge::cheats {
namespace {

constexpr double stall_limit_s = 5;

std::unique_ptr<device::device> open_cuda_device() {
  return backends::device_cuda::make({.hold_time_out_s = 0.5});
}

harness::instruments gpu_instruments(harness::instruments host) {
  host.open_gpu = [] {
    return harness::opened_gpu{.device = open_cuda_device(),
                               .state = backends::measure_nvml::make_gpu_meter()};
  };
#if RIDGE_WITH_CUPTI
  host.open_traced_gpu = [] {
    harness::traced_gpu gpu{.tracer = backends::measure_cupti::make()};
    if (gpu.tracer->unavailable_because().empty()) gpu.device = open_cuda_device();
    return gpu;
  };
#endif
  return host;
}

model::family measured_on_the_gpu(const experiment& asked, const judge_options& options) {
  const laboratory here;
  auto run = run_options_for(options);
  run.stall_limit_s = stall_limit_s;
  harness::listener nobody;
  auto done = harness::run_all({}, {{asked, asked.problems().front(), model::backend::cuda}},
                               gpu_instruments(here.instruments), run, nobody);
  return std::move(done.families.front());
}

std::string unavailable() {
  if (host::gpu_models().empty()) return "no NVIDIA driver shows a GPU here";
  return harness::gpu_unavailable_because(gpu_instruments({}));
}

}  // namespace

catalogue the_catalogue() {
  return {.program = "judge_cuda_cheats",
          .unavailable = unavailable(),
          .cheats = cuda::all_cuda_cheats(),
          .twins = cuda::cuda_twins(),
          .measure = measured_on_the_gpu};
}

}  // namespace ridge::cheats
