// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::host {

// Processor time in seconds that all other threads of this process have used so far, ended ones included. The
// two clocks behind it are read one after the other: differences are exact to about a microsecond.
[[nodiscard]] double cpu_of_other_threads_s();
// The same with an error of the other sign: what this thread computes between the two readings counts against
// the others. The difference of this and an earlier cpu_of_other_threads_s() is never too large.
[[nodiscard]] double least_cpu_of_other_threads_s();

}  // namespace ridge::host
