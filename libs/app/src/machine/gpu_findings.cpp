// SPDX-License-Identifier: Apache-2.0
#include "machine/gpu_findings.hpp"

#include <string_view>

#include <fmt/format.h>

#include <ridge/app/backends.hpp>
#include <ridge/base/error.hpp>
#include <ridge/host/gpu_driver.hpp>
#include <ridge/host/gpu_models.hpp>
#if RIDGE_WITH_CUDA
#include <ridge/gpu/nvml.hpp>
#include <ridge/vendor/cublaslt.hpp>
#include <ridge/vendor/cudnn.hpp>
#include <ridge/vendor/find_cublas.hpp>
#endif

namespace ridge::app {
namespace {

finding gpus() {
  const auto models = host::gpu_models();
  const auto driver = host::gpu_driver();
  const auto loaded = driver.empty() ? "" : ", driver " + driver;
  if (models.empty()) return {"GPU", false, "no NVIDIA driver shows a GPU here" + loaded};
  return {"GPU", true, fmt::format("{}{}", fmt::join(models, ", "), loaded)};
}

#if RIDGE_WITH_CUDA

result<std::string> find_cupti() {
  const auto find = find_factory<result<std::string>()>(measure_backends(), "cupti");
  if (find == nullptr) return error{"not in this build; variants on a GPU are not audited", ""};
  return find();
}

result<std::string> find_nvml() {
  const auto& loaded = gpu::nvml();
  if (!loaded) return loaded.why();
  const auto version = gpu::nvml_version(*loaded);
  if (!version) return version.why();
  return "NVML " + *version;
}

std::vector<finding> with_cuda() {
  return {{"CUDA toolkit", true,
           fmt::format("{} at build, code for {}", RIDGE_CUDA_TOOLKIT, RIDGE_CUDA_ARCHITECTURES)},
          gpus(),
          found_or_not("cuBLAS", vendor::find_cublas()),
          found_or_not("cuBLASLt", vendor::find_cublaslt()),
          found_or_not("cuDNN", vendor::find_cudnn()),
          found_or_not("CUPTI", find_cupti()),
          found_or_not("NVML", find_nvml())};
}

#endif

}  // namespace

std::vector<finding> gpu_findings() {
#if RIDGE_WITH_CUDA
  return with_cuda();
#else
  return {{"CUDA toolkit", false, "not in this build; CUDA variants are left out"}, gpus()};
#endif
}

}  // namespace ridge::app
