// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::host {

// Processor time in seconds that all other threads of this process have used so far, ended ones included. The
// two clocks behind it cannot be read at once: differences have errors of either sign, about a microsecond.
[[nodiscard]] double cpu_of_other_threads_s();
// Processor time in seconds that the calling thread has used so far.
[[nodiscard]] double cpu_of_this_thread_s();

}  // namespace ridge::host
