// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "graph_launch.hpp"

namespace ridge::experiments::ch01_graph_launch {

// A call for the worker: run(*data, argument).
struct task {
  void (*run)(const workload& w, std::size_t argument) = nullptr;
  const workload* data = nullptr;
  std::size_t argument = 0;
};

// Hands tasks from one thread to another, in order, through a mutex and condition variables; a waiter sleeps.
class task_queue {
 public:
  static constexpr std::size_t capacity = chain_length;

  // Call it before serve(), with an empty queue.
  void open() {
    const std::lock_guard lock(mutex_);
    closed_ = false;
  }
  // At most `capacity` tasks may wait.
  void push(task t) {
    {
      const std::lock_guard lock(mutex_);
      ring_[pushed_count_++ % capacity] = t;
    }
    pushed_.notify_one();
  }
  // Returns when every task pushed has run.
  void drain() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return done_count_ == pushed_count_; });
  }
  // Makes serve() return when the queue is empty.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    pushed_.notify_one();
  }
  // Runs tasks on the calling thread until close().
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      pushed_.wait(lock, [this] { return closed_ || done_count_ != pushed_count_; });
      if (done_count_ == pushed_count_) return;
      const task next = ring_[done_count_ % capacity];
      lock.unlock();
      next.run(*next.data, next.argument);
      lock.lock();
      if (++done_count_ == pushed_count_) done_.notify_one();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable pushed_, done_;
  std::array<task, capacity> ring_{};
  std::size_t pushed_count_ = 0, done_count_ = 0;
  bool closed_ = false;
};

}  // namespace ridge::experiments::ch01_graph_launch
