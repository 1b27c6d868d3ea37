// SPDX-License-Identifier: Apache-2.0
#include "session/requirements_here.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/base/text.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#if RIDGE_WITH_CUDA
#include <ridge/gpu/nvml_device.hpp>
#include <ridge/vendor/cublaslt.hpp>
#include <ridge/vendor/cudnn.hpp>
#include <ridge/vendor/find_cublas.hpp>
#endif

namespace ridge::app {
namespace {

// Returns why a library is missing; empty where it is there or not known here, which leaves it to the setup
// of the variant.
std::string missing_because(std::string_view library) {
  const auto reason = [](const result<std::string>& found) {
    return found ? std::string() : found.why().text();
  };
  if (library == "openblas") return reason(vendor::find_openblas());
  if (library == "onednn") return reason(vendor::find_onednn());
#if RIDGE_WITH_CUDA
  if (library == "cublas") return reason(vendor::find_cublas());
  if (library == "cublaslt") return reason(vendor::find_cublaslt());
  if (library == "cudnn") return reason(vendor::find_cudnn());
#endif
  return "";
}

// Returns a library in words: "OpenBLAS 0.3.21, SkylakeX kernels"; empty where it is missing or not known
// here.
std::string words_of(std::string_view library) {
  const auto words = [](const result<std::string>& found) { return found ? *found : std::string(); };
  if (library == "openblas") return words(vendor::find_openblas());
  if (library == "onednn") return words(vendor::find_onednn());
#if RIDGE_WITH_CUDA
  if (library == "cublas") return words(vendor::find_cublas());
  if (library == "cublaslt") return words(vendor::find_cublaslt());
  if (library == "cudnn") return words(vendor::find_cudnn());
#endif
  return "";
}

#if RIDGE_WITH_CUDA
// Returns the number of other processes on the GPU that is current where it is called. Where this process is
// not listed under its own number, one of the processes is taken to be this one.
std::optional<std::size_t> other_processes() {
  const auto gpu = gpu::nvml_device::current();
  if (!gpu) return std::nullopt;
  const auto seen = gpu->compute_processes();
  if (!seen) return std::nullopt;
  const std::size_t own = seen->ours_listed ? 0 : 1;
  return seen->others - std::min(own, seen->others);
}
#endif

}  // namespace

void answer_requirements(harness::instruments& instruments) {
  instruments.missing_library = missing_because;
  instruments.library_in_words = words_of;
#if RIDGE_WITH_CUDA
  instruments.other_gpu_processes = other_processes;
  for (const auto part : split(RIDGE_CUDA_ARCHITECTURES, ',')) {
    const auto architecture = trim(part);
    if (architecture.starts_with("sm_")) instruments.built_architectures.emplace_back(architecture.substr(3));
  }
#endif
}

}  // namespace ridge::app
