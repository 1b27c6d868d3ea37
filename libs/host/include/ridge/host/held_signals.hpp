// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::host {

// Keeps the signals of the thread that made it waiting, so that no handler runs on that thread while it looks
// at memory which others have written. Linux. Only that thread uses it.
class held_signals {
 public:
  // Remembers which signals the thread lets through; holds none of them yet.
  held_signals();
  // Lets through what the thread let through before.
  ~held_signals() { (void)release(); }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

  // Holds every signal, in one system call. A fault of this thread then ends the process, whatever handler
  // there is. Returns whether the thread's mask was as this object had left it.
  bool hold();
  // Lets through again what was let through at first, in one system call; signals that wait are handled
  // before it returns. Returns whether the thread's mask was as this object had left it.
  bool release();

 private:
  bool change_to(std::uint64_t mask);

  std::uint64_t at_first_ = 0, left_ = 0;  // a bit for each signal that is held
};

// Holds the signals that come from outside for the calling thread, as long as it lives; faults of its own
// stay as they are.
void hold_signals_of_this_thread();

}  // namespace ridge::host
