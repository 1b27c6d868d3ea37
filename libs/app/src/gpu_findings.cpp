// SPDX-License-Identifier: Apache-2.0
#include "gpu_findings.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/host/gpu_driver.hpp>
#include <ridge/host/gpu_models.hpp>
#include <ridge/host/shared_library.hpp>
#if RIDGE_WITH_CUDA
#include <ridge/gpu/nvml.hpp>
#include <ridge/vendor/cublaslt.hpp>
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

// As the backend opens it. Its version number is CUDA's, since CUDA 13: 130000.
result<std::string> find_cupti() {
  try {
    const host::shared_library library(
        {"libcupti.so.13", "libcupti.so.12", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13",
         "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.12", "/usr/local/cuda/lib64/libcupti.so.13",
         "/usr/local/cuda/lib64/libcupti.so.12", "libcupti.so"},
        "CUPTI",
        "install NVIDIA's libcupti (the toolkit has it in extras/CUPTI/lib64), or add its folder to "
        "LD_LIBRARY_PATH");
    std::uint32_t version = 0;
    library.function<int(std::uint32_t*)>("cuptiGetVersion")(&version);
    return fmt::format("CUPTI, version {} of its interface ({})", version, library.name());
  } catch (const unavailable& missing) {
    return missing.why();
  }
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
          found_or_not("CUPTI", find_cupti()),
          found_or_not("NVML", find_nvml())};
}

#endif

}  // namespace

std::vector<finding> gpu_findings() {
#if RIDGE_WITH_CUDA
  return with_cuda();
#else
  return {{"CUDA toolkit", false, "not in this build: CUDA variants are left out"}, gpus()};
#endif
}

}  // namespace ridge::app
