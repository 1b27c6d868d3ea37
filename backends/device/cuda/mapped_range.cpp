// SPDX-License-Identifier: Apache-2.0
#include "mapped_range.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "driver.hpp"

namespace ridge::backends::device_cuda {
namespace {

CUmemAllocationProp memory_of(int ordinal) {
  CUmemAllocationProp made{};
  made.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  made.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = ordinal};
  return made;
}

}  // namespace

std::size_t granule(int ordinal) {
  const CUmemAllocationProp memory = memory_of(ordinal);
  std::size_t bytes = 0;
  check(the_driver().granularity(&bytes, &memory, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "cuMemGetAllocationGranularity");
  return bytes;
}

mapped_range::mapped_range(int ordinal, std::size_t end, int user) : granule_(granule(ordinal)), end_(end) {
  check(the_driver().reserve(&start_, end_ + granule_, 0, 0, 0), "cuMemAddressReserve");
  if (end_ == granule_) return;
  try {
    map(ordinal, user);
  } catch (...) {
    give_back();
    throw;
  }
}

mapped_range::~mapped_range() {
  cudaDeviceSynchronize();  // unmapping does not wait for kernels
  give_back();
}

// The mapping keeps the memory alive, so the handle is released at once.
void mapped_range::map(int ordinal, int user) {
  const std::size_t open = end_ - granule_;
  const CUmemAllocationProp memory = memory_of(ordinal);
  CUmemGenericAllocationHandle handle = 0;
  check(the_driver().create(&handle, open, &memory, 0),
        fmt::format("cuMemCreate of {}", format_quantity(static_cast<double>(open), "B")));
  const CUresult code = the_driver().map(start_ + granule_, open, 0, handle, 0);
  the_driver().release(handle);
  check(code, "cuMemMap");
  mapped_ = true;
  for (const int gpu : {ordinal, user}) {
    const CUmemAccessDesc access{.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = gpu},
                                 .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    check(the_driver().set_access(start_ + granule_, open, &access, 1), "cuMemSetAccess");
  }
}

void mapped_range::give_back() noexcept {
  if (mapped_) the_driver().unmap(start_ + granule_, end_ - granule_);
  the_driver().give_back(start_, end_ + granule_);
}

}  // namespace ridge::backends::device_cuda
