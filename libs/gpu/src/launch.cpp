// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.hpp>

#include <cstdlib>
#include <memory>
#include <string>

#include <cxxabi.h>

#include <ridge/gpu/check.hpp>

namespace ridge::gpu {
namespace {

struct free_text {
  void operator()(char* text) const { std::free(text); }
};

// The kernel's name as in its source, or as much of it as is known.
std::string kernel_name(const void* kernel) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || mangled == nullptr) return "a kernel";
  int status = 0;
  const std::unique_ptr<char, free_text> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status));
  return status == 0 ? name.get() : mangled;
}

}  // namespace

unsigned multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return static_cast<unsigned>(count);
}

void check_launch_of(const void* kernel) {
  const auto code = cudaGetLastError();
  if (code != cudaSuccess) check(code, "launch of " + kernel_name(kernel));
}

void allow_dynamic_shared_memory(const void* kernel, std::size_t bytes) {
  const auto code =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (code != cudaSuccess) check(code, "cudaFuncSetAttribute of the shared memory of " + kernel_name(kernel));
}

}  // namespace ridge::gpu
