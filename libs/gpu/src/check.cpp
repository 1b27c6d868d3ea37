// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/check.hpp>

#include <string>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge::gpu {
namespace {

bool no_gpu(cudaError_t code) {
  return code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver ||
         code == cudaErrorInitializationError || code == cudaErrorSystemDriverMismatch ||
         code == cudaErrorCompatNotSupportedOnDevice;
}

std::string remedy(cudaError_t code) {
  switch (code) {
    case cudaErrorNoDevice:
      return "no GPU is visible: see nvidia-smi and CUDA_VISIBLE_DEVICES";
    case cudaErrorInsufficientDriver:
      return "install NVIDIA's driver, or a newer one (580 or later serves CUDA 13)";
    case cudaErrorMemoryAllocation:
      return "take smaller problems (--axis), or free the GPU's memory (nvidia-smi shows who holds it)";
    case cudaErrorNoKernelImageForDevice:
      return "build for this GPU: cmake -DCMAKE_CUDA_ARCHITECTURES=native, or -DRIDGE_CUDA_EVERYWHERE=ON";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "a kernel read or wrote where it must not; run it under compute-sanitizer";
    case cudaErrorLaunchTimeout:
      return "the kernel ran into the display's time-out; use a GPU without a display";
    default:
      return "";
  }
}

std::string device_in_words() {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return "no device";
  return fmt::format("device {}", device);
}

}  // namespace

void check(cudaError_t code, std::string_view call) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // the error is reported here, so that no later check_launch reports it again
  const auto what = fmt::format("{} failed on {}: {} ({})", call, device_in_words(), cudaGetErrorString(code),
                                cudaGetErrorName(code));
  if (no_gpu(code)) throw unavailable(what, remedy(code));
  throw failure({what, remedy(code)});
}

void check_launch(std::string_view kernel) { check(cudaGetLastError(), fmt::format("launch of {}", kernel)); }

}  // namespace ridge::gpu
