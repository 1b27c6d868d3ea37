// SPDX-License-Identifier: Apache-2.0
#include "simulated_gpu.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include <ridge/base/error.hpp>
#include <ridge/device/forwarding_device.hpp>

#include "judged.hpp"

namespace ridge::judge {
namespace {

std::span<std::byte> mapped_file(int file, std::size_t bytes) {
  void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) throw io_failure("map", "memory of the simulated GPU", errno);
  return {static_cast<std::byte*>(place), bytes};
}

class range_of_file final : public ridge::device::shared_range {
 public:
  explicit range_of_file(std::size_t bytes) : file_(::memfd_create("ridge-gpu", MFD_CLOEXEC)) {
    if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(bytes)) != 0)
      throw io_failure("create", "memory of the simulated GPU", errno);
    bytes_ = mapped_file(file_, bytes);
  }
  ~range_of_file() override {
    ::munmap(bytes_.data(), bytes_.size());
    ::close(file_);
  }
  range_of_file(const range_of_file&) = delete;
  range_of_file& operator=(const range_of_file&) = delete;
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }
  [[nodiscard]] int descriptor() const override { return file_; }

 private:
  int file_;
  std::span<std::byte> bytes_{};
};

class simulated_gpu final : public device::forwarding_device {
 public:
  explicit simulated_gpu(std::unique_ptr<ridge::device::device> host)
      : forwarding_device(*host), host_(std::move(host)) {}
  [[nodiscard]] std::string_view name() const override { return "simulated GPU"; }
  [[nodiscard]] std::size_t memory_bytes() const override { return std::size_t{256} << 20; }
  [[nodiscard]] std::unique_ptr<ridge::device::shared_range> share(std::size_t bytes) override {
    return std::make_unique<range_of_file>(bytes);
  }
  [[nodiscard]] std::span<std::byte> map_shared(int descriptor, std::size_t bytes, bool) override {
    return mapped_file(descriptor, bytes);
  }

 private:
  std::unique_ptr<ridge::device::device> host_;
};

}  // namespace

std::unique_ptr<ridge::device::device> open_simulated_gpu() {
  return std::make_unique<simulated_gpu>(backends::device_host::make({}));
}

}  // namespace ridge::judge
