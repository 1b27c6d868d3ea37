// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/dtype.hpp>
#include <ridge/device/device.hpp>
#include <ridge/device/distribution.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge {

// A file of generated data that a body reads. The harness writes it, and drops it from the page cache before
// each call.
struct data_file {
  std::string path{};
  std::size_t bytes = 0;
};

enum class use : std::uint8_t { in, out, inout, file };

// Removes a file when it is destroyed, but only in the process that made it: the file outlives a forked
// child.
class owned_file {
 public:
  owned_file() = default;
  // Takes over the file at `path`.
  explicit owned_file(std::string path) : path_(std::move(path)) {}
  owned_file(owned_file&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  owned_file& operator=(owned_file&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~owned_file();

 private:
  std::string path_;
};

// One array or file of a workload, as the harness knows it.
struct array_record {
  ridge::use use{ridge::use::in};
  ridge::dtype type{ridge::dtype::u8};
  std::size_t count = 0;
  ridge::distribution distribution{};
  std::unique_ptr<device::array> owner{};  // null for files
  data_file file{};
  owned_file on_disk{};
  // The array's payload; empty for a file.
  [[nodiscard]] std::span<std::byte> bytes() const { return owner ? owner->bytes() : std::span<std::byte>{}; }
};

// Hands a workload its arrays and records each, so that the harness can re-key, poison, guard and compare
// them without knowing the workload's type. Arrays live as long as the memory; counts may be zero. `gpu`
// chooses one of the variants' GPUs; their `.needs` then ask for several and for peer access, over which the
// harness fills and checks the array. Throws not_enough_memory where they exceed what is free.
class memory {
 public:
  memory(device::device& device, device::guard guard, device::placement placement, std::string file_folder);
  memory(memory&&) noexcept = default;
  memory& operator=(memory&&) noexcept = default;

  // An input of `count` elements drawn from `values`.
  template <class T>
  [[nodiscard]] input<T> in(std::size_t count, const distribution& values, int gpu = 0) {
    return view<T>(make({use::in, dtype_of<T>, alignof(T), count, gpu}, values));
  }
  // An output of `count` elements.
  template <class T>
  [[nodiscard]] output<T> out(std::size_t count, int gpu = 0) {
    return view<T>(make({use::out, dtype_of<T>, alignof(T), count, gpu}, constant{}));
  }
  // An array of `count` elements drawn from `values` that a call reads and changes.
  template <class T>
  [[nodiscard]] inout<T> both(std::size_t count, const distribution& values, int gpu = 0) {
    return view<T>(make({use::inout, dtype_of<T>, alignof(T), count, gpu}, values));
  }
  // A file of `bytes` bytes drawn as elements of `type`; rewritten when the member is re-keyed as a whole.
  [[nodiscard]] data_file file(std::size_t bytes, ridge::dtype type, distribution values);

  // Everything recorded, in the order of the calls above.
  [[nodiscard]] std::vector<array_record>& arrays() { return arrays_; }
  [[nodiscard]] const std::vector<array_record>& arrays() const { return arrays_; }
  // Bytes of all arrays, files not counted.
  [[nodiscard]] std::size_t total_bytes() const;
  // The device that holds the arrays.
  [[nodiscard]] device::device& where() const { return *device_; }

 private:
  struct array_shape {
    ridge::use use;
    ridge::dtype type;
    std::size_t alignment, count;
    int gpu;
  };
  array_record& make(const array_shape& shape, distribution values);
  template <class T>
  [[nodiscard]] static std::span<T> view(const array_record& record) {
    return {reinterpret_cast<T*>(record.bytes().data()), record.count};
  }

  device::device* device_;
  device::guard guard_;
  device::placement placement_;
  std::string file_folder_;
  std::vector<array_record> arrays_;
};

}  // namespace ridge
