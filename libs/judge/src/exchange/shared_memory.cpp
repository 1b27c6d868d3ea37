// SPDX-License-Identifier: Apache-2.0
#include "exchange/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace ridge::judge {
namespace {

constexpr const char* lacks_memory = "give the judge more memory, or a smaller problem";

// Opens the memory again for reading alone: what is mapped through that descriptor cannot be made writable.
int reopened_for_reading(int descriptor, const std::string& name) {
  const auto path = fmt::format("/proc/self/fd/{}", descriptor);
  const int read_only = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (read_only < 0) throw io_failure("open", name, errno, "mount /proc");
  return read_only;
}

}  // namespace

shared_memory::shared_memory(const std::string& name, std::size_t bytes, sharing others) {
  own_ = ::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (own_ < 0) throw io_failure("create", name, errno, lacks_memory);
  const std::size_t size = bytes > 0 ? bytes : 1;
  if (::ftruncate(own_, static_cast<off_t>(size)) != 0) throw io_failure("size", name, errno, lacks_memory);
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, own_, 0);
  if (mapped == MAP_FAILED) throw io_failure("map", name, errno, lacks_memory);
  bytes_ = {static_cast<std::byte*>(mapped), size};
  ::fcntl(own_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  if (others == sharing::read_only) {
    ::fcntl(own_, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    shared_ = reopened_for_reading(own_, name);
  } else {
    shared_ = ::fcntl(own_, F_DUPFD_CLOEXEC, 0);
    if (shared_ < 0) throw io_failure("duplicate", name, errno);
  }
  ::fcntl(own_, F_ADD_SEALS, F_SEAL_SEAL);
}

shared_memory::~shared_memory() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
  for (const int each : {own_, shared_}) {
    if (each >= 0) ::close(each);
  }
}

shared_memory::shared_memory(shared_memory&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      own_(std::exchange(other.own_, -1)),
      shared_(std::exchange(other.shared_, -1)) {}

shared_memory& shared_memory::operator=(shared_memory&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(own_, other.own_);
  std::swap(shared_, other.shared_);
  return *this;
}

std::byte* map_descriptor(int descriptor, std::size_t bytes, sharing mode) {
  const int protection = mode == sharing::read_only ? PROT_READ : PROT_READ | PROT_WRITE;
  void* mapped = ::mmap(nullptr, bytes, protection, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (mapped == MAP_FAILED) throw io_failure("map", fmt::format("descriptor {}", descriptor), errno);
  return static_cast<std::byte*>(mapped);
}

}  // namespace ridge::judge
