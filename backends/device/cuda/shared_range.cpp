// SPDX-License-Identifier: Apache-2.0
#include "shared_range.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>

#include "driver.hpp"

namespace ridge::backends::device_cuda {
namespace {

CUmemAllocationProp shared_memory_of(int ordinal) {
  CUmemAllocationProp made{};
  made.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  made.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  made.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = ordinal};
  return made;
}

// Bytes of whole granules; both processes find the same.
std::size_t in_granules(std::size_t bytes, int ordinal) {
  const auto memory = shared_memory_of(ordinal);
  std::size_t unit = 0;
  check(the_driver().granularity(&unit, &memory, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "cuMemGetAllocationGranularity of shared memory");
  return (bytes + unit - 1) / unit * unit;
}

CUresult grant(CUdeviceptr start, std::size_t size, int ordinal, CUmemAccess_flags flags) {
  const CUmemAccessDesc access{.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = ordinal},
                               .flags = flags};
  return the_driver().set_access(start, size, &access, 1);
}

// Address space with the memory of a handle, which keeps that memory alive.
class mapped_handle final {
 public:
  mapped_handle(CUmemGenericAllocationHandle handle, std::size_t size) : size_(size) {
    check(the_driver().reserve(&start_, size_, 0, 0, 0), "cuMemAddressReserve of shared memory");
    if (const auto code = the_driver().map(start_, size_, 0, handle, 0); code != CUDA_SUCCESS) {
      the_driver().give_back(start_, size_);
      check(code, "cuMemMap of shared memory");
    }
  }
  ~mapped_handle() {
    if (start_ == 0) return;
    cudaDeviceSynchronize();  // unmapping does not wait for kernels
    the_driver().unmap(start_, size_);
    the_driver().give_back(start_, size_);
  }
  mapped_handle(const mapped_handle&) = delete;
  mapped_handle& operator=(const mapped_handle&) = delete;

  void open(int ordinal, bool read_only) const {
    if (read_only && grant(start_, size_, ordinal, CU_MEM_ACCESS_FLAGS_PROT_READ) == CUDA_SUCCESS) return;
    check(grant(start_, size_, ordinal, CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
          "cuMemSetAccess of shared memory");
  }
  [[nodiscard]] std::byte* data() const { return reinterpret_cast<std::byte*>(start_); }
  // Leaves the mapping until the process ends.
  void leave() { start_ = 0; }

 private:
  CUdeviceptr start_ = 0;
  std::size_t size_;
};

// Releases a handle; the mapping keeps the memory.
struct released_handle {
  CUmemGenericAllocationHandle value = 0;
  released_handle() = default;
  released_handle(const released_handle&) = delete;
  released_handle& operator=(const released_handle&) = delete;
  ~released_handle() {
    if (value != 0) the_driver().release(value);
  }
};

class exported_range final : public device::shared_range {
 public:
  exported_range(CUmemGenericAllocationHandle handle, std::size_t bytes, int ordinal)
      : mapped_(handle, in_granules(bytes, ordinal)), bytes_(bytes) {
    mapped_.open(ordinal, false);
    check(the_driver().export_handle(&descriptor_, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
          "cuMemExportToShareableHandle");
    ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
  }
  ~exported_range() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] std::span<std::byte> bytes() const override { return {mapped_.data(), bytes_}; }
  [[nodiscard]] int descriptor() const override { return descriptor_; }

 private:
  mapped_handle mapped_;
  std::size_t bytes_;
  int descriptor_ = -1;
};

}  // namespace

std::unique_ptr<device::shared_range> share(std::size_t bytes, int ordinal) {
  expects(bytes > 0, "share: there are bytes to share");
  const auto memory = shared_memory_of(ordinal);
  released_handle handle;
  check(the_driver().create(&handle.value, in_granules(bytes, ordinal), &memory, 0),
        fmt::format("cuMemCreate of {} to share", format_quantity(static_cast<double>(bytes), "B")));
  return std::make_unique<exported_range>(handle.value, bytes, ordinal);
}

std::span<std::byte> map_shared(int descriptor, std::size_t bytes, bool read_only, int ordinal) {
  released_handle handle;
  check(the_driver().import_handle(&handle.value, reinterpret_cast<void*>(std::intptr_t{descriptor}),
                                   CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        "cuMemImportFromShareableHandle");
  mapped_handle mapped(handle.value, in_granules(bytes, ordinal));
  mapped.open(ordinal, read_only);
  const std::span<std::byte> made(mapped.data(), bytes);
  mapped.leave();
  return made;
}

}  // namespace ridge::backends::device_cuda
