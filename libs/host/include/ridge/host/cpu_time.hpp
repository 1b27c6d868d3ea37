// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::host {

// Processor time in seconds that all other threads of this process have used so far, ended ones included. The
// two clocks behind it are read one after the other: differences are exact to about a microsecond.
[[nodiscard]] double cpu_of_other_threads_s();

}  // namespace ridge::host
