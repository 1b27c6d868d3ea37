// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

namespace ridge::backends::device_cuda {
namespace {

constexpr unsigned oldest_version = 11020;  // the first with all of them

template <class Call>
void find(Call& call, const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  gpu::check(cudaGetDriverEntryPointByVersion(name, &address, oldest_version, cudaEnableDefault, &found),
             fmt::format("cudaGetDriverEntryPointByVersion of {}", name));
  if (found != cudaDriverEntryPointSuccess || address == nullptr) {
    throw unavailable(fmt::format("{} of the NVIDIA driver", name), "install a newer driver");
  }
  call = reinterpret_cast<Call>(address);
}

driver found_driver() {
  driver d;
  find(d.granularity, "cuMemGetAllocationGranularity");
  find(d.reserve, "cuMemAddressReserve");
  find(d.give_back, "cuMemAddressFree");
  find(d.create, "cuMemCreate");
  find(d.release, "cuMemRelease");
  find(d.export_handle, "cuMemExportToShareableHandle");
  find(d.import_handle, "cuMemImportFromShareableHandle");
  find(d.map, "cuMemMap");
  find(d.unmap, "cuMemUnmap");
  find(d.set_access, "cuMemSetAccess");
  find(d.device_of, "cuDeviceGet");
  find(d.context_state, "cuDevicePrimaryCtxGetState");
  return d;
}

}  // namespace

const driver& the_driver() {
  static const driver found = found_driver();
  return found;
}

void check(CUresult code, std::string_view call) { gpu::check(static_cast<cudaError_t>(code), call); }

}  // namespace ridge::backends::device_cuda
