// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <cuda.h>

namespace ridge::backends::device_cuda {

// The driver's virtual-memory calls, and those that ask for a context without making one. libcuda is never
// linked: the runtime finds them, so that the program starts on machines without a driver.
struct driver {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) give_back = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemExportToShareableHandle) export_handle = nullptr;
  decltype(&cuMemImportFromShareableHandle) import_handle = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;
  decltype(&cuDeviceGet) device_of = nullptr;
  decltype(&cuDevicePrimaryCtxGetState) context_state = nullptr;
};

// The calls, found at the first use. Throws unavailable where the driver is absent or lacks one of them.
[[nodiscard]] const driver& the_driver();

// Throws as gpu::check does; the driver's codes are the runtime's.
void check(CUresult code, std::string_view call);

}  // namespace ridge::backends::device_cuda
