// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <ridge/base/dtype.hpp>
#include <ridge/device/device.hpp>
#include <ridge/device/stream.hpp>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge {

// What the untimed part of a variant is given. It runs once per ring member while the arrays hold poison: it
// may read shapes, never data. Everything it takes here is counted as the variant's memory and lives as long
// as the body.
class setup {
 public:
  explicit setup(device::device& where, host::team* team = nullptr, int threads = 1, int gpus = 1);

  // 64-byte aligned, zeroed.
  template <class T>
  [[nodiscard]] std::span<T> workspace(std::size_t count) {
    const auto bytes = take(count * sizeof(T));
    return {reinterpret_cast<T*>(bytes.data()), count};
  }
  [[nodiscard]] stream queue([[maybe_unused]] int device = 0) const { return where_->queue(); }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] int gpus() const { return gpus_; }  // as call::gpus
  [[nodiscard]] host::team& team() const;

  [[nodiscard]] std::size_t taken_bytes() const { return taken_; }

 private:
  [[nodiscard]] std::span<std::byte> take(std::size_t bytes);
  device::device* where_;
  host::team* team_;
  int threads_;
  int gpus_;
  std::size_t taken_ = 0;
  std::vector<std::unique_ptr<device::array>> owned_;
};

}  // namespace ridge
