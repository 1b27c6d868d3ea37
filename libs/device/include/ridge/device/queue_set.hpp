// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/device/stream.hpp>

namespace ridge::device {

// The queues that one variant works on, the same number on each of its GPUs. The first queue of the first GPU
// is the device's own, where marks are taken. This class itself is for devices whose bodies run as they are
// called: there is nothing to order, and every queue is the device's own.
class queue_set {
 public:
  // `streams` holds `queues_per_gpu` streams of the first GPU, then those of the next, and so on.
  queue_set(std::vector<stream> streams, int queues_per_gpu)
      : streams_(std::move(streams)), queues_per_gpu_(queues_per_gpu) {
    expects(queues_per_gpu > 0 && !streams_.empty() && streams_.size() % count(queues_per_gpu) == 0,
            "queue_set: as many queues on each GPU, one at least");
  }
  virtual ~queue_set() = default;
  queue_set(const queue_set&) = delete;
  queue_set& operator=(const queue_set&) = delete;

  // Number of GPUs, of queues on each of them, and of queues in all.
  [[nodiscard]] int gpus() const { return static_cast<int>(streams_.size()) / queues_per_gpu_; }
  [[nodiscard]] int queues_per_gpu() const { return queues_per_gpu_; }
  [[nodiscard]] std::size_t size() const { return streams_.size(); }
  // Queue `index` of GPU `gpu`. The caller has checked that 0 <= gpu < gpus() and 0 <= index <
  // queues_per_gpu().
  [[nodiscard]] stream at(int gpu, int index) const { return streams_[count(gpu * queues_per_gpu_ + index)]; }

  // Work enqueued on any other queue from now on begins after the work that the first queue holds now.
  virtual void fork() {}
  // Work enqueued on the first queue from now on begins after the work that the others hold now.
  virtual void join() {}

 protected:
  [[nodiscard]] const std::vector<stream>& streams() const { return streams_; }

 private:
  static std::size_t count(int value) { return static_cast<std::size_t>(value); }

  std::vector<stream> streams_;
  int queues_per_gpu_;
};

}  // namespace ridge::device
