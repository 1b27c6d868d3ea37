// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "graph_launch.hpp"

namespace ridge::experiments::ch01_graph_launch {

// Something for the worker to do: run(w, argument).
struct task {
  void (*run)(const workload& w, std::size_t argument) = nullptr;
  const workload* on = nullptr;
  std::size_t argument = 0;
};

// Tasks handed by one thread to another, in order, through a mutex and condition variables; a waiter sleeps.
class task_queue {
 public:
  static constexpr std::size_t capacity = chain_length;

  void open();        // before serve; the queue must be empty
  void push(task t);  // at most `capacity` may wait
  void drain();       // returns when every task pushed has run
  void close();       // serve returns when the queue is empty
  void serve();       // the worker's loop

 private:
  std::mutex mutex_;
  std::condition_variable pushed_, done_;
  std::array<task, capacity> ring_{};
  std::size_t pushed_count_ = 0, done_count_ = 0;
  bool closed_ = false;
};

}  // namespace ridge::experiments::ch01_graph_launch
