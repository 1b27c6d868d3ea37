// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ridge::host {

// Whether a program that has nothing to do with this one runs now, or waits for a processor: none of this
// process' ancestors that are this program, nor a descendant of those, nor one that could be a descendant and
// has left them (whose eldest ancestor began when they had begun). Threads of the kernel are passed over.
// Takes some microseconds where nothing else runs, and some milliseconds else. False where the kernel does
// not tell. `proc` and `self` are where processes are listed and this one's id, for tests; 0: this process.
[[nodiscard]] bool other_programs_run(const std::filesystem::path& proc = "/proc", int self = 0);

}  // namespace ridge::host
