// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include <ridge/host/shared_region.hpp>

#include "run/progress_mark.hpp"

namespace ridge::harness {

// A mark in memory that this process shares with its children.
class shared_mark {
 public:
  shared_mark() : mark_(new(memory_.bytes().data()) progress_mark) {}
  progress_mark& operator*() const { return *mark_; }
  progress_mark* operator->() const { return mark_; }

 private:
  host::shared_region memory_{sizeof(progress_mark)};
  progress_mark* mark_;
};

}  // namespace ridge::harness
