// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

#include "sandbox/sandbox.hpp"

namespace ridge::judge {

// Starts a program in its own process group, in new user and pid namespaces where the kernel grants them
// (`report` receives whether it did), with no environment but what `variables` holds, the standard streams on
// /dev/null, and `descriptors` as 3, 4, 5, ... (-1 leaves one out); everything else is closed. It is killed
// when the calling thread ends. Returns its process id. Throws io_failure where no process can be started.
[[nodiscard]] pid_t start_process(const std::vector<std::string>& command,
                                  const std::vector<std::string>& variables,
                                  const std::vector<int>& descriptors, sandbox_report& report);

}  // namespace ridge::judge
