// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/host/child_process.hpp>

namespace ridge::app {

// Runs a program to its end, or to the interrupt of an interrupt_guard: then its process group is killed
// within a fifth of a second, and interrupted() holds. `each_look` is called about every fifth of a second
// meanwhile.
[[nodiscard]] host::finished_child run_until_interrupt(const host::program& start,
                                                       const std::function<void()>& each_look = {});

// How long a program that cleans up may still run once the call was interrupted.
inline constexpr double clean_up_limit_s = 10;

// Runs a program that cleans up to its end, although the call is interrupted or was before: it is killed, and
// its outcome is child_timed_out, where it does not end within clean_up_limit_s of the interrupt, or of its
// own start where that is later.
[[nodiscard]] host::finished_child run_past_interrupt(const host::program& start);

}  // namespace ridge::app
