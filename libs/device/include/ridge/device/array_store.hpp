// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <ridge/base/dtype.hpp>
#include <ridge/device/array.hpp>
#include <ridge/device/distribution.hpp>

namespace ridge::device {

// Elements [first, first + count) of an array.
struct part {
  std::uint64_t first = 0, count = 0;
};

// Memory of a device that other processes may map. Released by the destructor where nobody maps it any more.
class shared_range {
 public:
  virtual ~shared_range() = default;
  // The bytes, of undefined content, in memory of the device.
  [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
  // What another process maps it by; owned by this object.
  [[nodiscard]] virtual int descriptor() const = 0;
};

// Makes arrays and sets their content. What it enqueues keeps the order of the device's own queue.
class array_store {
 public:
  virtual ~array_store() = default;
  // An array of undefined content with its guards. Throws failure when the memory is refused.
  [[nodiscard]] virtual std::unique_ptr<array> allocate(const array_request& request) = 0;

  // Memory that other processes may map, `bytes` > 0. Throws failure when it is refused, unavailable where
  // the device shares none.
  [[nodiscard]] virtual std::unique_ptr<shared_range> share(std::size_t bytes);
  // Maps a range of `bytes` bytes that another process shares, by the descriptor under which this process has
  // it; `read_only`: where the device can. The mapping lasts until the process ends. Throws as share does.
  [[nodiscard]] virtual std::span<std::byte> map_shared(int descriptor, std::size_t bytes, bool read_only);

  // Bytes that arrays may still take.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  // Writes elements [first, first + count) of the stream `key` of `d` to `target`, where count = bytes of
  // `target` / size of `type`. `whole_count` is the number of elements of the whole array, which a
  // permutation needs where only a part is filled; 0: the target is the whole.
  virtual void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                    std::uint64_t first = 0, std::uint64_t whole_count = 0) = 0;
  // The same for parts of the whole array `target`, whose other elements stay.
  virtual void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                          std::span<const part> parts) = 0;
  // Sets every byte to 0xFF, which is NaN in every floating type.
  virtual void poison(std::span<std::byte> target) = 0;
  // Copies bytes between the device and host memory; both sides have the same size. `source` and `target` may
  // be reused when the call returns.
  virtual void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) = 0;
  virtual void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) = 0;
  // Copies between two arrays of this device, in the order of the queue; both sides have the same size.
  virtual void copy(std::span<std::byte> target, std::span<const std::byte> source) = 0;
};

// Fills the parts by one call of `store.fill` for each.
void fill_each_part(array_store& store, std::span<std::byte> target, dtype type, const distribution& d,
                    std::uint64_t key, std::span<const part> parts);

}  // namespace ridge::device
