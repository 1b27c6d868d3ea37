// SPDX-License-Identifier: Apache-2.0
#include "task_queue.hpp"

namespace ridge::experiments::ch01_graph_launch {

void task_queue::open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
}

void task_queue::push(task t) {
  {
    const std::lock_guard lock(mutex_);
    ring_[pushed_count_++ % capacity] = t;
  }
  pushed_.notify_one();
}

void task_queue::drain() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return done_count_ == pushed_count_; });
}

void task_queue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  pushed_.notify_one();
}

void task_queue::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    pushed_.wait(lock, [this] { return closed_ || done_count_ != pushed_count_; });
    if (done_count_ == pushed_count_) return;
    const task next = ring_[done_count_ % capacity];
    lock.unlock();
    next.run(*next.on, next.argument);
    lock.lock();
    if (++done_count_ == pushed_count_) done_.notify_one();
  }
}

}  // namespace ridge::experiments::ch01_graph_launch
