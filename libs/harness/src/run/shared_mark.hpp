// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <new>

#include "run/progress_mark.hpp"

namespace ridge::harness {

// A mark in memory that this process shares with its children.
class shared_mark {
 public:
  // Throws std::bad_alloc where the system gives no memory.
  shared_mark() {
    void* memory =
        mmap(nullptr, sizeof(progress_mark), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mark_ = new (memory) progress_mark;
  }
  ~shared_mark() { munmap(mark_, sizeof(progress_mark)); }
  shared_mark(const shared_mark&) = delete;
  shared_mark& operator=(const shared_mark&) = delete;
  progress_mark& operator*() const { return *mark_; }
  progress_mark* operator->() const { return mark_; }

 private:
  progress_mark* mark_;
};

}  // namespace ridge::harness
