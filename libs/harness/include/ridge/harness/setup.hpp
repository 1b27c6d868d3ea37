// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ridge/base/dtype.hpp>
#include <ridge/device/device.hpp>
#include <ridge/device/queue_set.hpp>
#include <ridge/device/stream.hpp>

namespace ridge::host {
class team;
}  // namespace ridge::host

namespace ridge {

// What the harness makes a setup from. Everything that it points to outlives it.
struct setup_resources {
  device::device& device;
  device::queue_set* queues = nullptr;  // queues that the variant declared; null: the device's own queue
  host::team* team = nullptr;           // null for a variant of one thread
  int threads = 1;
  std::uintptr_t address = 0;  // on a host, near which workspaces begin; 0: anywhere
};

// What the untimed part of a variant receives. That part runs once per ring member while the arrays hold
// poison: it may read shapes, never data. Everything it takes here counts as the variant's memory and lives
// as long as the body.
class setup {
 public:
  // A setup that has taken nothing yet.
  explicit setup(const setup_resources& resources) : resources_(resources) {}

  // `count` elements, 64-byte aligned and zeroed.
  template <class T>
  [[nodiscard]] std::span<T> workspace(std::size_t count) {
    return workspace_on<T>(0, count);
  }
  // The same in the memory of the variant's GPU `gpu`. Asking for more GPUs than declared is a bug of the
  // variant.
  template <class T>
  [[nodiscard]] std::span<T> workspace_on(int gpu, std::size_t count) {
    const auto bytes = take(count * sizeof(T), gpu);
    return {reinterpret_cast<T*>(bytes.data()), count};
  }
  // The queues that the call has. What is enqueued here is not ordered with any other queue.
  [[nodiscard]] stream queue(int index = 0) const { return queue_on(0, index); }
  [[nodiscard]] stream queue_on(int gpu, int index = 0) const;
  // Number of threads that the variant declared.
  [[nodiscard]] int threads() const { return resources_.threads; }
  // Number of GPUs that the variant declared, counted as in call::gpus.
  [[nodiscard]] int gpus() const { return resources_.queues == nullptr ? 1 : resources_.queues->gpus(); }
  // The variant's threads. Calling it in a variant that declares one thread is a bug.
  [[nodiscard]] host::team& team() const;

  // Bytes of all workspaces so far.
  [[nodiscard]] std::size_t taken_bytes() const { return taken_; }
  // The memory of each workspace, in the order in which they were taken.
  [[nodiscard]] std::vector<std::span<std::byte>> workspaces() const;

 private:
  [[nodiscard]] std::span<std::byte> take(std::size_t bytes, int gpu);
  setup_resources resources_;
  std::size_t taken_ = 0;
  std::uintptr_t next_address_ = resources_.address;
  std::vector<std::unique_ptr<device::array>> owned_;
};

}  // namespace ridge
