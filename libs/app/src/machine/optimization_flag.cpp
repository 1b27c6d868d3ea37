// SPDX-License-Identifier: Apache-2.0
#include "machine/optimization_flag.hpp"

#include <ridge/base/text.hpp>

namespace ridge::app {

std::string_view optimization_flag(std::string_view flags) {
  std::string_view holds = "-O0";
  for (const auto flag : split(flags, ' ')) {
    if (flag.starts_with("-O")) holds = flag;
  }
  return holds;
}

bool optimizes_fully(std::string_view flag) { return flag == "-O2" || flag == "-O3" || flag == "-Ofast"; }

}  // namespace ridge::app
