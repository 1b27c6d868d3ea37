// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <thread>

#include <ridge/base/usable_processors.hpp>

namespace ridge {

// A machine of more than 1024 processors does not fit into a cpu_set_t: all of them count then.
unsigned usable_processors() {
  ::cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return std::max(1U, static_cast<unsigned>(CPU_COUNT(&allowed)));
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace ridge
