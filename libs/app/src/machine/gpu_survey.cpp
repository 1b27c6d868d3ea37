// SPDX-License-Identifier: Apache-2.0
#include "machine/gpu_survey.hpp"

#include <memory>

#include <ridge/host/gpu_models.hpp>
#include <ridge/probe/gpu_describer.hpp>

#if RIDGE_WITH_CUDA
namespace ridge::backends::probe_cuda {
std::unique_ptr<probe::gpu_describer> make_describer();
}  // namespace ridge::backends::probe_cuda
#endif

namespace ridge::app {

result<probe::gpu_survey> survey_gpus() {
  if (host::gpu_models().empty()) return error{"no NVIDIA driver shows one here", ""};
#if RIDGE_WITH_CUDA
  return backends::probe_cuda::make_describer()->describe();
#else
  return error{"this build has no CUDA to ask the driver with", "build with the CUDA toolkit"};
#endif
}

}  // namespace ridge::app
