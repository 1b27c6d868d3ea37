// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include <ridge/base/result.hpp>
#include <ridge/device/queue_set.hpp>
#include <ridge/device/stream.hpp>

namespace ridge::device {

// Work recorded once and enqueued as one.
class recorded {
 public:
  virtual ~recorded() = default;
  // Enqueues all of the recorded work on the device's queue; returns before it is done.
  virtual void enqueue() = 0;
};

// The queue that the work of bodies goes to, and its control.
class work_queue {
 public:
  virtual ~work_queue() = default;
  // The device's own queue, on which all its functions enqueue and marks are taken; null on a host.
  [[nodiscard]] virtual stream queue() = 0;
  // Makes `queues_per_gpu` queues on each of the first `gpus` of gpus(); they are destroyed with the set,
  // which must not outlive the device. Opens those GPUs, and peer access between them and this device where
  // the machine has it. Throws unavailable where there are fewer.
  [[nodiscard]] virtual std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) = 0;
  // Waits until everything enqueued so far is done.
  virtual void synchronize() = 0;
  // Work enqueued after hold() begins only when release() is called, so that the time of enqueueing is not in
  // the time of the work; the device releases it by itself after a time-out. Does nothing where bodies run as
  // they are called.
  virtual void hold() = 0;
  // False when the device had released the work before: a body waited for the device, or the time-out was
  // over.
  [[nodiscard]] virtual bool release() = 0;
  // Waits until all work of this process on the device is done, on whatever stream it is, and returns the
  // seconds that this took. With an idle queue that is time that work beside it still needed.
  [[nodiscard]] virtual double wait_for_other_work() { return 0; }
  // Enqueues the smallest work there is: a kernel of one thread that does nothing.
  virtual void enqueue_empty_kernel() = 0;
  // Calls `work` and records what it enqueues instead of running it. The error says what cannot be recorded,
  // such as a wait or an allocation.
  [[nodiscard]] virtual result<std::unique_ptr<recorded>> record(const std::function<void()>& work) = 0;
};

}  // namespace ridge::device
