// SPDX-License-Identifier: Apache-2.0
#include "machine/gpu_survey.hpp"

#include <memory>

#include <ridge/app/backends.hpp>
#include <ridge/host/gpu_models.hpp>
#include <ridge/probe/gpu_describer.hpp>

namespace ridge::app {

result<probe::gpu_survey> survey_gpus() {
  if (host::gpu_models().empty()) return error{"no NVIDIA driver shows a GPU here", ""};
  const auto make = find_factory<std::unique_ptr<probe::gpu_describer>()>(probe_backends(), "cuda");
  if (make == nullptr)
    return error{"this build has no CUDA, so it cannot ask the driver", "build with the CUDA toolkit"};
  return make()->describe();
}

}  // namespace ridge::app
